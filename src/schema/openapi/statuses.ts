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
      return does.within ? [404] : []
    case 'get':
      return [404]
    case 'create':
      return does.within ? [404, 409, 422] : [409, 422]
    // An id in a list that is nobody's is an invalid attribute of that item.
    case 'update many':
    case 'delete many':
      return [409, 422]
    case 'update':
    case 'delete':
    case 'act':
      return [404, 409, 422]
    case 'operate':
      return does.operation.method === 'GET' ? [404] : [404, 409, 422]
    case 'refuse':
      return does.status === 405 ? [405] : []
  }
}
