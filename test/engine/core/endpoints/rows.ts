import type { PlainFields } from '../../../../src/schema/admin-operation.js'
import type { JsonObject } from '../../../../src/schema/json.js'
import { type Endpoint, type EndpointAction, endpointsOf } from '../../../../src/schema/openapi/endpoints.js'
import { requiredExample } from '../../../../src/schema/openapi/examples.js'
import { registry } from '../../../support/contract/document.js'
import { list } from '../../../support/core.js'
import { exampleOf, type World } from './world.js'

/** All paths and methods of the API; `doing` has those that are allowed, `refusing` the others. */
export const endpoints = endpointsOf(registry)
export const doing = endpoints.flatMap(({ path, method, does }) =>
  does.kind === 'refuse' ? [] : [{ path, method, does }],
)
export const refusing = endpoints.flatMap(({ path, method, does }) =>
  does.kind === 'refuse' ? [{ path, method, does }] : [],
)

export interface Doing extends Endpoint {
  readonly does: EndpointAction
}

/** A valid id that no object has. */
export const NOBODY = 'none_0000000000000000000000'

/** A path with ids in place of its parameters; without `ids`, an unknown id. */
export function pathWith(path: string, ...ids: readonly string[]): string {
  const left = [...ids]
  return path.replace(/\{\w+\}/g, () => left.shift() ?? NOBODY)
}

/** Query and body that an operation accepts, with references to objects of the world or to this `id`. */
export function saidTo(
  does: EndpointAction,
  world: World,
  id?: string,
): { query?: string; body?: JsonObject } {
  switch (does.kind) {
    case 'list':
    case 'get':
    case 'delete':
      return {}
    case 'create': {
      const { resource, parent: within } = does
      const given =
        within?.field.kind === 'many' ? [within.field.by, ...Object.keys(within.field.preset ?? {})] : []
      return { body: exampleOf(resource, world, given) }
    }
    case 'update':
      return { body: {} }
    case 'act':
      return { body: plainExample(does.action.input, does.action.example, world, id) }
    case 'operate': {
      const { method, input, example } = does.operation
      const body = plainExample(input, example, world, id)
      const query = Object.entries(body).map(([name, value]) => `${name}=${value}`)
      return method === 'GET' ? { query: query.join('&') } : { body }
    }
    case 'update many':
    case 'delete many':
      return { body: list([{ id: id ?? world.get(does.resource.name) ?? null }]) }
  }
}

function plainExample(
  fields: PlainFields,
  example: object | undefined,
  world: World,
  id: string | undefined,
): JsonObject {
  const body: JsonObject = JSON.parse(JSON.stringify(example ?? requiredExample(registry, fields)))
  for (const [name, field] of Object.entries(fields))
    if (field.kind === 'ref' && name in body) body[name] = id ?? world.get(field.to) ?? null
  return body
}
