import { readPlainInput } from '../../../model/input/read-input.js'
import type { AdminOperation } from '../../../schema/admin-operation.js'
import type { JsonObject } from '../../../schema/json.js'
import { type Input, isTree } from '../../../schema/types.js'
import { ApiError, invalidAttributes } from '../request/api-error.js'
import { parseBodyItems } from '../request/body-items.js'
import { detailsOf, putDetail } from '../request/error-details.js'
import type { ApiRequest } from '../request/request.js'

/** Validated input of an operation, and the attributes that its answer shows (undefined: all). */
export interface AdminInput {
  readonly input: Input
  readonly fields: readonly string[] | undefined
}

/**
 * Validates a request to an operation. Throws `InvalidAttributes` that names every unknown or wrong
 * attribute.
 */
export function readAdminInput(operation: AdminOperation, request: ApiRequest): AdminInput {
  const { fields, parameters } = readQuery(request)
  const problems: JsonObject = {}
  for (const name of fields ?? []) {
    if (name !== '*' && !Object.hasOwn(operation.output, name))
      putDetail(problems, ['fields', name], 'Unknown attribute')
  }
  const isRead = operation.method === 'GET'
  if (!isRead) for (const name of Object.keys(parameters)) putDetail(problems, [name], 'Unknown attribute')
  const result = readPlainInput(operation.input, isRead ? parameters : bodyOf(request))
  if (!result.success) throw invalidAttributes({ ...detailsOf(result.error.issues), ...problems })
  if (Object.keys(problems).length > 0) throw invalidAttributes(problems)
  const whole = !fields || fields.includes('*')
  return { input: isTree(result.data) ? result.data : {}, fields: whole ? undefined : fields }
}

function readQuery({ query = [] }: ApiRequest): Pick<AdminInput, 'fields'> & { parameters: JsonObject } {
  const isFields = ([name]: readonly [string, string]) => /^fields?(\[|$)/.test(name)
  const names = query
    .filter(isFields)
    .flatMap(([, value]) => value.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const parameters = Object.fromEntries(query.filter((pair) => !isFields(pair)))
  return { fields: names.length === 0 ? undefined : names, parameters }
}

function bodyOf(request: ApiRequest) {
  const body = parseBodyItems(request.body)
  if (body.kind === 'one') return body.value
  throw new ApiError('BadRequest', 'The body must be one object')
}
