import type { AdminOperation } from '../admin-operation.js'
import type { ErrorStatus } from '../error-types.js'
import type { DocumentedOperation, Does } from './endpoints.js'

/** Statuses of any request: unreadable, without a key, too many, in maintenance. */
const ALWAYS: readonly ErrorStatus[] = [400, 401, 403, 413, 415, 429, 500, 503]

/** Error statuses of an endpoint, ascending. Every success is a 200. */
export function refusalsOf(does: Does | DocumentedOperation): readonly ErrorStatus[] {
  return [...ALWAYS, ...more(does)].toSorted((a, b) => a - b)
}

function more(does: Does | DocumentedOperation): readonly ErrorStatus[] {
  switch (does.kind) {
    case 'list':
      return does.parent ? [404] : []
    case 'get':
      return [404]
    case 'create':
    case 'create many':
      return does.parent ? [404, 409, 422] : [409, 422]
    // An unknown id in a list is an invalid attribute of that item.
    case 'update many':
    case 'delete many':
      return [409, 422]
    case 'update':
    case 'delete':
    case 'act':
      return [404, 409, 422]
    case 'operate':
      return ofOperation(does.operation)
    case 'refuse':
      return does.status === 405 ? [405] : []
  }
}

/**
 * Statuses of an admin operation. A read that requires the id of an object answers 404 for an unknown one;
 * elsewhere that is an invalid attribute.
 */
function ofOperation({ method, input }: AdminOperation): readonly ErrorStatus[] {
  if (method !== 'GET') return [409, 422]
  return Object.values(input).some(({ kind, required }) => kind === 'ref' && required) ? [404] : []
}
