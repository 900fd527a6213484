import type { Json, JsonObject } from '../../../../src/schema/json.js'
import type { Endpoint } from '../../../../src/schema/openapi/endpoints.js'
import { createExample, requiredExample } from '../../../../src/schema/openapi/examples.js'
import type { Method, Resource } from '../../../../src/schema/resource.js'
import { registry } from '../../../support/contract/document.js'
import { list } from '../../../support/core.js'
import { referencesOf, relationsOf } from '../merchants.js'
import { pathsTo } from './paths-to.js'

/** A request without its principal. */
export interface Asked {
  readonly method: Method
  readonly path: string
  readonly query?: string
  readonly body?: Json
}

/** The query and the body of a request. */
type Said = Pick<Asked, 'query' | 'body'>

/** The id of an object of a resource. */
export type IdOf = (resource: Resource) => string

/** The objects that requests refer to. */
export interface Aim {
  /** Ids of the caller's own objects. */
  readonly mine: IdOf
  /** Ids of the objects under attack. */
  readonly at: IdOf
}

/** All requests to an endpoint that name an object, with its id in every possible position. */
export function waysTo({ path, method, does }: Endpoint, aim: Aim): Asked[] {
  const own = pathsTo(path, aim.mine, aim.mine).slice(0, 1)
  return [
    ...pathsTo(path, aim.mine, aim.at).flatMap((at) =>
      plainly(does, aim.mine).map((said) => ({ method, path: at, ...said })),
    ),
    ...own.flatMap((at) => naming(does, aim).map((said) => ({ method, path: at, ...said }))),
  ]
}

/** Query and body for an endpoint without references to objects of others. */
function plainly(does: Endpoint['does'], mine: IdOf): Said[] {
  switch (does.kind) {
    case 'list':
    case 'get':
      return [{}, { query: everything(does.resource) }]
    case 'create':
      return [{ body: newOne(does.resource, mine) }]
    case 'update':
      return [{ body: {} }, { body: TOUCHED }, { body: {}, query: everything(does.resource) }]
    case 'delete':
      return [{}]
    case 'act':
      return [{ body: copy(does.action.example ?? requiredExample(registry, does.action.input)) }]
    case 'operate': {
      const { method, input } = does.operation
      return method === 'GET' ? [{}] : [{ body: copy(requiredExample(registry, input)) }]
    }
    default:
      return [{ body: {} }]
  }
}
const TOUCHED: JsonObject = { attrs: { touched: true } }

/**
 * Queries and bodies that refer to an object under attack. An item below a parent is changed in the same way
 * as at its top-level path.
 */
function naming(does: Endpoint['does'], { mine, at }: Aim): Said[] {
  if (does.kind === 'refuse' || does.kind === 'operate' || does.kind === 'act') return []
  if (does.parent && does.kind === 'update') return []
  const { resource } = does
  const id = at(resource)
  const bodies = treesNaming(resource, at)
  switch (does.kind) {
    case 'list':
      return [`id=${id}`, `id=!${id}`, `after=${id}`, ...filtersNaming(resource, at)].map((query) => ({
        query,
      }))
    case 'get':
    case 'delete':
      return [{ query: `id=${id}` }]
    case 'create':
      return bodies.map((body) => ({ body: { ...newOne(resource, mine), ...body } }))
    case 'update':
      return [{ body: TOUCHED, query: `id=${id}` }, { body: { id } }, ...bodies.map((body) => ({ body }))]
    case 'update many': {
      const own = mine(resource)
      return [
        { body: list([{ id, ...TOUCHED }]) },
        { body: list([{ id: own }, { id, ...TOUCHED }]) },
        { body: TOUCHED, query: `mode=query&id=${id}` },
        ...bodies.map((body) => ({ body: list([{ id: own, ...body }]) })),
      ]
    }
    case 'delete many':
      return [{ body: list([{ id }]) }, { query: `mode=query&id=${id}` }]
  }
}

/** A query for every attribute of a resource, and for every relation with its default attributes. */
function everything(resource: Resource): string {
  return `fields=${['*', ...relationsOf(resource).map(({ name }) => name)].join()}`
}

function filtersNaming(resource: Resource, at: IdOf): string[] {
  return [
    ...referencesOf(resource).map(({ name, to }) => `${name}=${at(to)}`),
    ...relationsOf(resource).map(({ name, to }) => `${name}[id]=${at(to)}`),
  ]
}

/** Bodies that each refer to an object, one body for each attribute that can. */
function treesNaming(resource: Resource, at: IdOf): JsonObject[] {
  return [
    ...referencesOf(resource).map(({ name, to }) => ({ [name]: at(to) })),
    ...relationsOf(resource).map(({ name, to, field }) => ({
      [name]: field.kind === 'many' ? [{ id: at(to) }] : { id: at(to) },
    })),
  ]
}

/** The body for a new object that refers only to objects of the caller. */
function newOne(resource: Resource, mine: IdOf): JsonObject {
  const body = copy(createExample(registry, resource))
  for (const { name, to } of referencesOf(resource)) if (name in body) body[name] = mine(to)
  for (const { name, to } of relationsOf(resource))
    if (Object.keys(Object(body[name])).join() === 'id') body[name] = { id: mine(to) }
  return body
}

function copy(example: object): JsonObject {
  return JSON.parse(JSON.stringify(example))
}
