import { ERRORS, type ErrorStatus } from '../error-types.js'
import { closed, component, described, type ReadonlyJsonObject, type Schema } from '../json-schema.js'
import type { Resource } from '../resource.js'
import type { DocumentedAction } from './endpoints.js'
import { responseHeadersOf } from './headers.js'
import { schemaNames } from './names.js'
import { refusalsOf } from './statuses.js'
import { successOf } from './successes.js'

/** Descriptions of the error statuses. Spec: "Errors". */
const CAUSES: { readonly [S in ErrorStatus]: string } = {
  400: 'The request is not valid; `details` says what is wrong with which attribute.',
  401: 'No key, or one that is unknown, revoked or expired.',
  403: 'The key has no permission for this, or no key may do it.',
  404: 'There is no such path, or no such object that the key can see.',
  405: 'The path does not accept this method.',
  409: 'The outcome of another operation on the same object, or under the same idempotency key, is open.',
  413: 'The request is too large.',
  415: 'The body is neither JSON nor a form.',
  422: 'The idempotency key was used for another request.',
  429: 'The key or address has used up its limit.',
  500: 'Something unexpected happened; nothing was changed.',
  503: 'The service is in maintenance or cannot reach its database; nothing was changed.',
}

/** Additional headers of a status. */
const MORE_HEADERS: { readonly [S in ErrorStatus]?: readonly string[] } = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  409: ['Retry-After'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

const STATUSES = [...new Set(Object.values(ERRORS))]

/** All responses of an operation, by status. */
export function responsesOf(does: DocumentedAction): ReadonlyJsonObject {
  const { description, body, headers } = successOf(does)
  const refusals = refusalsOf(does).map((status) => [status, refusal(status, does)] as const)
  return {
    '200': { description, headers: responseHeadersOf(headers), content: jsonContent(body) },
    ...Object.fromEntries(refusals),
  }
}

function refusal(status: ErrorStatus, does: DocumentedAction): ReadonlyJsonObject {
  const stores = storedBy(does)
  return status === 400 && stores?.answeredAs
    ? refusedObject(stores, stores.answeredAs)
    : component('responses', errorName(status))
}

/** Resource whose object an operation may store although it answers 400. */
function storedBy(does: DocumentedAction): Resource | undefined {
  switch (does.kind) {
    case 'operate':
    case 'list':
    case 'get':
      return undefined
    case 'act':
      return does.answers
    default:
      return does.resource
  }
}

/** Schema of the error for each status, named by `errorName`. */
export function errorSchemas(): { readonly [name: string]: Schema } {
  return Object.fromEntries(
    STATUSES.map((status) => [
      errorName(status),
      described(errorSchema(typesOf(status), OBJECT), CAUSES[status]),
    ]),
  )
}

/** Response for each error status, named as its schema. */
export function errorResponses(): { readonly [name: string]: ReadonlyJsonObject } {
  return Object.fromEntries(
    STATUSES.map((status) => [
      errorName(status),
      {
        description: CAUSES[status],
        headers: responseHeadersOf(MORE_HEADERS[status]),
        content: jsonContent(component('schemas', errorName(status))),
      },
    ]),
  )
}

function errorName(status: ErrorStatus): string {
  return `Error${status}`
}

/** Response 400 whose details may also be the stored object. */
function refusedObject(resource: Resource, error: NonNullable<Resource['answeredAs']>): ReadonlyJsonObject {
  const names = schemaNames(resource)
  const refused = (name: string) => errorSchema([error], component('schemas', name))
  return {
    description: `${CAUSES[400]} Or the object was stored and then refused: \`details\` is that object.`,
    headers: responseHeadersOf(['Idempotent-Replay', 'Preference-Applied']),
    content: jsonContent({
      anyOf: [component('schemas', errorName(400)), refused(names.whole), refused(names.selection)],
    }),
  }
}

function jsonContent(schema: Schema): ReadonlyJsonObject {
  return { 'application/json': { schema } }
}

const OBJECT: Schema = { type: 'object' }

function errorSchema(types: readonly string[], details: Schema): Schema {
  const properties = {
    object: { const: 'error' },
    error_type: { type: 'string', enum: types, description: 'type of the error' },
    error_description: { type: 'string', description: 'what is wrong, or which attributes, in bracket form' },
    details,
  }
  return closed(properties, Object.keys(properties))
}

/** Error types of a status; a stored and refused object has its own schema. */
function typesOf(status: ErrorStatus): readonly string[] {
  return Object.entries(ERRORS)
    .filter(([type, its]) => its === status && type !== 'TransactionDeclined')
    .map(([type]) => type)
}
