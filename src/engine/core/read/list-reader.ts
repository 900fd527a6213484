import type { Environment } from '../../store/database/store.js'
import type { Query } from '../query/query.js'
import type { ApiRequest, ApiResponse } from '../request/request.js'
import type { Route } from '../request/route.js'

/**
 * Reads lists in another thread. A database within the process blocks its thread while it is read: for an object by its id
 * that is microseconds, for a list it may be a second.
 */
export interface ListReader {
  read(environment: Environment, request: ApiRequest): Promise<ApiResponse>
  close(): Promise<void>
}

/** Whether a GET reads a list: of objects, of groups, or inside of the one object that it names. */
export function readsList(route: Route, { shape }: Query): boolean {
  switch (route.kind) {
    case 'collection':
      return true
    case 'nested':
      return route.parent.field.kind === 'many'
    case 'item':
      return shape.showsList
    case 'action':
      return false
  }
}
