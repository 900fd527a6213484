import type { ReadonlyJsonObject } from '../json-schema.js'
import type { Registry } from '../registry.js'
import type { Method } from '../resource.js'
import { requestBodyOf } from './bodies.js'
import type { DocumentedAction } from './endpoints.js'
import { operationIdOf, operationSummary, tagOf } from './naming.js'
import { parametersOf } from './parameters.js'
import { responsesOf } from './responses.js'

/** Operation of the document for a method on a path. */
export function operationOf(
  registry: Registry,
  path: string,
  method: Method,
  does: DocumentedAction,
): ReadonlyJsonObject {
  const requestBody = requestBodyOf(registry, does)
  return {
    operationId: operationIdOf(path, does),
    summary: operationSummary(does),
    ...restriction(method, does),
    tags: [tagOf(does)],
    parameters: parametersOf(registry, path, does),
    ...(requestBody && { requestBody }),
    responses: responsesOf(does),
  }
}

function restriction(method: Method, does: DocumentedAction): ReadonlyJsonObject {
  if (method === 'GET' || does.kind === 'operate') return {}
  const reason = does.resource.restricts?.[method]
  return reason === undefined ? {} : { description: `${reason} (400).` }
}
