import type { ErrorType } from '../../../schema/error-types.js'
import type { JsonObject } from '../../../schema/json.js'
import { ApiError } from '../request/api-error.js'
import type { Work } from './work.js'

/**
 * Refusal that leaves a record. Its unit of work is rolled back; then `record` runs in another one, as the
 * system.
 */
export class RecordedRefusal extends ApiError {
  constructor(
    type: ErrorType,
    description: string,
    headers: ApiError['headers'],
    readonly record: (work: Work) => Promise<void>,
    details: JsonObject = {},
  ) {
    super(type, description, details, headers)
  }
}
