import type { JsonObject } from '../../../schema/json.js'
import { Refusal } from '../failure/failure.js'

/** The refusal of a whole file; `details` has the problems by place in the file. */
export function refuseFile(details: JsonObject): Refusal {
  const description = `The file cannot be used; nothing was sent: ${Object.keys(details).join(', ')}`
  const body = {
    object: 'error',
    error_type: 'InvalidAttributes',
    error_description: description,
    details,
  }
  return new Refusal({ status: 400, body, headers: {} })
}
