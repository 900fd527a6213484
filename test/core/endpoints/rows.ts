import type { JsonObject } from '../../../src/core/json.js'
import { type Done, type Endpoint, endpointsOf } from '../../../src/schema/openapi/endpoints.js'
import { requiredExample } from '../../../src/schema/openapi/examples.js'
import type { Resource } from '../../../src/schema/resource.js'
import { registry } from '../../support/contract/document.js'
import { list } from '../../support/core.js'
import { exampleOf, type World } from './world.js'

/** Every row of the table of paths and methods, and those that do something. */
export const endpoints = endpointsOf(registry)
export const doing = endpoints.flatMap(({ path, method, does }) =>
  does.kind === 'refuse' ? [] : [{ path, method, does }],
)
export const refusing = endpoints.flatMap(({ path, method, does }) =>
  does.kind === 'refuse' ? [{ path, method, does }] : [],
)

export interface Doing extends Endpoint {
  readonly does: Done
}

/** An id that could be one, and is nobody's. */
export const NOBODY = 'none_0000000000000000000000'

/** A path with ids in the places of its parameters; without `ids` nobody's. */
export function pathWith(path: string, ...ids: readonly string[]): string {
  const left = [...ids]
  return path.replace(/\{\w+\}/g, () => left.shift() ?? NOBODY)
}

/** The resource whose id is the first of a path. */
export function ownerOf(does: Done): Resource | undefined {
  if (does.kind === 'operate') return undefined
  return (does.kind === 'act' ? undefined : does.within?.parent) ?? does.resource
}

/** A body that an operation accepts; the objects that it names are those of the world, or have this `id`. */
export function bodyFor(does: Done, world: World, id?: string): JsonObject | undefined {
  switch (does.kind) {
    case 'list':
    case 'get':
    case 'delete':
      return undefined
    case 'create': {
      const { resource, within } = does
      const given =
        within?.field.kind === 'many' ? [within.field.by, ...Object.keys(within.field.preset ?? {})] : []
      return exampleOf(resource, world, given)
    }
    case 'act':
      return JSON.parse(JSON.stringify(requiredExample(registry, does.action.input)))
    case 'update':
    case 'operate':
      return {}
    case 'update many':
    case 'delete many':
      return list([{ id: id ?? world.get(does.resource.name) ?? null }])
  }
}
