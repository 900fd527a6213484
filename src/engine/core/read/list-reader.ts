import type { Fields } from '../../../schema/field.js'
import type { Registry } from '../../../schema/registry.js'
import { attributesOf } from '../../../schema/resource.js'
import type { Environment } from '../../store/database/store.js'
import type { Query } from '../query/query.js'
import type { Selection } from '../query/selection.js'
import type { ApiRequest, ApiResponse } from '../request/request.js'
import type { Route } from '../request/route.js'

/**
 * Reads lists where they keep nobody else waiting. A database within the process is read while everything else stands
 * still: for an object by its id that is no time, for a list it may be a second.
 */
export interface ListReader {
  read(environment: Environment, request: ApiRequest): Promise<ApiResponse>
  close(): Promise<void>
}

/** Whether a GET reads a list: of objects, of groups, or inside of the one object that it names. */
export function readsList(registry: Registry, route: Route, { selection }: Query): boolean {
  switch (route.kind) {
    case 'collection':
      return true
    case 'nested':
      return route.parent.field.kind === 'many'
    case 'item':
      return selectsList(registry, attributesOf(route.resource), selection)
    case 'action':
      return false
  }
}

function selectsList(registry: Registry, fields: Fields, selection: Selection): boolean {
  const known = selecting.get(selection)
  if (known !== undefined) return known
  const found = [...selection].some(([name, inner]) => {
    const field = fields[name]
    switch (field?.kind) {
      case 'many':
        return true
      case 'one':
        return inner !== undefined && selectsList(registry, attributesOf(registry.get(field.to)), inner)
      case 'group':
        return inner !== undefined && selectsList(registry, field.fields, inner)
      default:
        return false
    }
  })
  selecting.set(selection, found)
  return found
}
const selecting = new WeakMap<Selection, boolean>()
