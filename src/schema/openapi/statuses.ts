import type { AdminOperation } from '../admin-operation.js'
import type { ErrorStatus } from '../errors.js'
import type { Does } from './endpoints.js'

/** What any request can be answered: unreadable, without a key, too much, in maintenance. */
const ALWAYS: readonly ErrorStatus[] = [400, 401, 403, 413, 415, 429, 500, 503]

/** The refusals that an endpoint can answer, ascending. Every success is a 200. */
export function refusalsOf(does: Does): readonly ErrorStatus[] {
  return [...ALWAYS, ...more(does)].toSorted((a, b) => a - b)
}

function more(does: Does): readonly ErrorStatus[] {
  switch (does.kind) {
    case 'list':
      return does.parent ? [404] : []
    case 'get':
      return [404]
    case 'create':
      return does.parent ? [404, 409, 422] : [409, 422]
    // An id in a list that is nobody's is an invalid attribute of that item.
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

/** A read that is about one object does not find it; what a body names is an attribute of it. */
function ofOperation({ method, input }: AdminOperation): readonly ErrorStatus[] {
  if (method !== 'GET') return [409, 422]
  return Object.values(input).some(({ kind, required }) => kind === 'ref' && required) ? [404] : []
}
