import type { Environment } from '../../store/database/store.js'
import type { Query } from '../query/query.js'
import type { ApiRequest, ApiResponse } from '../request/request.js'
import type { Route } from '../request/route.js'

/**
 * Reads lists in another thread. A database within the process blocks its thread while it is read. That
 * takes microseconds for an object by its id, but up to a second for a list.
 */
export interface ListReader {
  read(environment: Environment, request: ApiRequest): Promise<ApiResponse>
  close(): Promise<void>
}

/** Whether a GET reads a list: of objects, of groups, or inside an object. */
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
