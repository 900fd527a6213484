import { parseBodyItems } from '../../../src/engine/core/request/body-items.js'
import type { QueryPair } from '../../../src/engine/core/request/request.js'
import type { Json, JsonObject } from '../../../src/schema/json.js'
import { document, type Response, resolve, type Schema, templateOf } from './document.js'
import { fieldsOf, groupMissesOf, groupNamesOf, missesOf } from './fields.js'
import { broken } from './schemas.js'

/** The parts of a request that determine the shape of its answer. */
export interface CheckedRequest {
  readonly method: string
  readonly path: string
  readonly query?: readonly QueryPair[]
  /** Body of the request. If omitted, the answer shows whether the request is about one object or a list. */
  readonly body?: Json
  /** Attributes shown without `fields`, if the principal may not see all of them. */
  readonly principal?: { readonly shown?: readonly string[] }
}

export interface CheckedAnswer {
  readonly status: number
  readonly body: JsonObject
  /** Headers set by the core; headers that HTTP adds to every answer are not checked. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Differences between an answer and the document, each in a sentence; empty if the answer conforms. */
export function problemsOf(request: CheckedRequest, answer: CheckedAnswer): string[] {
  return judge(request, answer).map(
    (problem) => `${request.method} ${request.path} answers ${answer.status}: ${problem}`,
  )
}

function judge(request: CheckedRequest, { status, body, headers = {} }: CheckedAnswer): string[] {
  const response = responseTo(request, status, body)
  if (!response) return ['the document does not know such an answer']
  return [...strangeHeaders(response, headers), ...judgeBody(request, response, { status, body })]
}

function strangeHeaders(response: Response, headers: Readonly<Record<string, string>>): string[] {
  const strange = Object.keys(headers).filter((name) => !Object.hasOwn(response.headers, name))
  return strange.map((name) => `the document does not know its header ${name}`)
}

function judgeBody(request: CheckedRequest, response: Response, { status, body }: CheckedAnswer): string[] {
  const { schema } = response.content['application/json']
  const { method, query, principal } = request
  const fields = fieldsOf(query) ?? (method === 'POST' ? principal?.shown : undefined)
  if (status !== 200) return broken(errorSchema(schema, body, fields), body)
  const groupNames = groupNamesOf(query)
  if (groupNames && method === 'GET')
    return [...broken(schema.anyOf?.[2] ?? schema, body), ...groupMissesOf(body, groupNames)]
  const [plain, selected] = alternatives(schema)
  return fields ? [...broken(selected, body), ...missesOf(plain, body, fields)] : broken(plain, body)
}

/** Documented response for a request and a status; for an unknown path, the documented error. */
function responseTo(
  { method, path, body }: CheckedRequest,
  status: number,
  answered: JsonObject,
): Response | undefined {
  const template = templateOf(path)
  const isList = method === 'POST' && status === 200 && parseBodyItems(body ?? answered).kind === 'list'
  const operations = document.paths[isList ? `${template}/` : `${template}`] ?? document.paths[`${template}`]
  const operation = operations?.[method.toLowerCase()]
  const found = operation ? operation.responses[status] : document.components.responses[`Error${status}`]
  return found && resolve(found)
}

/** Schemas of a body: `plain` without the parameter `fields`, `selected` with it. */
function alternatives(schema: Schema): [plain: Schema, selected: Schema] {
  const { anyOf = [schema] } = schema
  const [plain = schema, selected = plain] = anyOf
  return [plain, selected]
}

/** Schema of an error. The error about a stored decline contains the transaction in its details. */
function errorSchema(schema: Schema, body: JsonObject, fields: readonly string[] | undefined): Schema {
  const [refusal = schema, stored = schema, selected = schema] = schema.anyOf ?? []
  if (body.error_type !== 'TransactionDeclined') return refusal
  return fields ? selected : stored
}
