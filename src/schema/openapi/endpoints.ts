import type { AdminOperation } from '../admin-operation.js'
import type { ManyField, OneField } from '../field.js'
import { isDeclared, type Registry } from '../registry.js'
import {
  type Action,
  attributesOf,
  METHODS,
  type Method,
  type Resource,
  relationOf,
  type WriteMethod,
} from '../resource.js'

/** One method on one path, and its action. Spec: "Endpoints", generic operations and nested paths. */
export interface Endpoint {
  /** Path such as `/transactions/{id}/ledger/{transaction_ledger_id}`. */
  readonly path: string
  readonly method: Method
  readonly does: Does
}

export type Does =
  | ResourceOperation
  | {
      readonly kind: 'act'
      readonly resource: Resource
      readonly answers: Resource
      readonly name: string
      readonly action: Action
    }
  | { readonly kind: 'operate'; readonly operation: AdminOperation }
  /** Always answers with this status, for this reason. */
  | { readonly kind: 'refuse'; readonly status: 403 | 405; readonly reason: string }

/** Action of an endpoint, unless it always answers with an error. */
export type EndpointAction = Exclude<Does, { kind: 'refuse' }>

/** Generic operation on a resource, by its own path or below its parent. */
export interface ResourceOperation {
  readonly kind: 'list' | 'create' | 'update many' | 'delete many' | 'get' | 'update' | 'delete'
  readonly resource: Resource
  readonly parent?: EndpointParent
}

/**
 * Operation in the document. Creating a list is documented separately, because its answer is a list; see
 * `document.ts`.
 */
export type DocumentedOperation =
  | ResourceOperation
  | (Omit<ResourceOperation, 'kind'> & { readonly kind: 'create many' })

export type DocumentedAction = EndpointAction | DocumentedOperation

/** Parent of a nested path, and its relation to the nested resource. */
export interface EndpointParent {
  readonly resource: Resource
  readonly name: string
  readonly field: OneField | ManyField
}

/** All paths and methods that are derived from the declarations, in their order. */
export function endpointsOf(registry: Registry): readonly Endpoint[] {
  const ofResources = registry.all.flatMap((resource) =>
    [resource.plural, ...(resource.aliases ?? [])].flatMap((plural) => [
      ...collection(resource, `/${plural}`),
      ...item(resource, `/${plural}/{id}`),
      ...relations(registry, resource, `/${plural}/{id}`),
      ...actions(registry, resource, `/${plural}/{id}`),
    ]),
  )
  return [...ofResources, ...operationsOf(registry)]
}

function collection(resource: Resource, path: string): Endpoint[] {
  return [
    { path, method: 'GET', does: { kind: 'list', resource } },
    { path, method: 'POST', does: allowed('POST', { kind: 'create', resource }) },
    { path, method: 'PUT', does: allowed('PUT', { kind: 'update many', resource }) },
    { path, method: 'DELETE', does: allowed('DELETE', { kind: 'delete many', resource }) },
  ]
}

function item(resource: Resource, path: string, parent?: EndpointParent): Endpoint[] {
  const below = parent && { parent }
  return [
    { path, method: 'GET', does: { kind: 'get', resource, ...below } },
    { path, method: 'POST', does: refused('POST', resource, 'objects are created at their collection') },
    { path, method: 'PUT', does: allowed('PUT', { kind: 'update', resource, ...below }) },
    { path, method: 'DELETE', does: allowed('DELETE', { kind: 'delete', resource, ...below }) },
  ]
}

function relations(registry: Registry, parent: Resource, path: string): Endpoint[] {
  return Object.keys(attributesOf(parent)).flatMap((name) => {
    const field = relationOf(parent, name)
    if (!field || !isDeclared(registry, field)) return []
    const resource = registry.get(field.to)
    const ref = { resource: parent, name, field }
    return [
      ...nested(resource, `${path}/${name}`, ref),
      ...item(resource, `${path}/${name}/{${resource.name}_id}`, ref),
    ]
  })
}

function nested(resource: Resource, path: string, parent: EndpointParent): Endpoint[] {
  const isList = parent.field.kind === 'many'
  return [
    { path, method: 'GET', does: { kind: isList ? 'list' : 'get', resource, parent } },
    {
      path,
      method: 'POST',
      does: isList
        ? allowed('POST', { kind: 'create', resource, parent })
        : refused('POST', resource, BY_PARENT),
    },
    { path, method: 'PUT', does: refused('PUT', resource, BY_ID) },
    { path, method: 'DELETE', does: refused('DELETE', resource, BY_ID) },
  ]
}
const BY_PARENT = "one related object is sent in its parent's tree"
const BY_ID = "related objects are changed and deleted by their ids, or in their parent's tree"

function actions(registry: Registry, resource: Resource, path: string): Endpoint[] {
  return Object.entries(resource.actions ?? {}).flatMap(([name, action]) => {
    const answers = action.answers === undefined ? resource : registry.get(action.answers)
    return METHODS.map((method) => ({
      path: `${path}/${name}`,
      method,
      does: method === 'POST' ? { kind: 'act', resource, answers, name, action } : other('POST'),
    }))
  })
}

function operationsOf(registry: Registry): Endpoint[] {
  const paths = new Set(registry.operations.map(({ path }) => path))
  return [...paths].flatMap((path) => {
    const here = registry.operationsAt(path)
    const taken = here.map(({ method }) => method).join(', ')
    return METHODS.map((method): Endpoint => {
      const operation = here.find((one) => one.method === method)
      return { path: `/${path}`, method, does: operation ? { kind: 'operate', operation } : other(taken) }
    })
  })
}

function other(taken: string): Does {
  return { kind: 'refuse', status: 405, reason: `it takes ${taken} only` }
}

/**
 * Refusal of a method on one path. If the resource never allows the method, the reason and status are the
 * same for every path.
 */
function refused(method: WriteMethod, resource: Resource, reason: string): Does {
  const never = resource.refuses?.[method]
  return { kind: 'refuse', status: never === undefined ? 405 : 403, reason: never ?? reason }
}

function allowed(method: WriteMethod, does: ResourceOperation): Does {
  const kept =
    method === 'DELETE' && does.parent?.field.kind === 'one' ? does.parent.field.undeletable : undefined
  const never = does.resource.refuses?.[method] ?? kept
  return never === undefined ? does : { kind: 'refuse', status: 403, reason: never }
}
