import type { ResourceModel, RowShape } from '../../../model/resource-model.js'
import { parseName } from '../../../schema/attribute-name.js'
import type { ManyField, OneField } from '../../../schema/field.js'
import { isDefault, type Method, type Resource } from '../../../schema/resource.js'
import { ApiError } from '../request/api-error.js'
import type { Principal } from '../request/principal.js'
import type { ApiRequest } from '../request/request.js'
import type { RequestPath } from '../request/route.js'
import { type Query, targetsOf } from './query.js'

/** Checks that the principal may use a method on a resource's paths. Throws `Forbidden`. */
export function authorize(principal: Principal, method: Method, resource: Resource): void {
  if (resource.admin && !isJudgedByRole(principal)) refuseUnlessManaging(principal, resource.plural)
  refuseUngranted(principal, method, resource.plural)
}

/**
 * Checks that the principal may use an admin operation. Restricted principals may use only those that are
 * `isScoped`, because others concern the whole environment. Throws `Forbidden`.
 */
export function authorizeOperation(
  principal: Principal,
  method: Method,
  path: string,
  isScoped: boolean,
): void {
  if (!isJudgedByRole(principal)) refuseUnlessManaging(principal, path)
  refuseUngranted(principal, method, path)
  if (!principal.processingIds || isScoped) return
  const whose = isJudgedByRole(principal) ? 'operators' : 'keys'
  throw new ApiError('Forbidden', `/${path} is closed to ${whose} that are narrowed to processing accounts`)
}

/**
 * Whether the principal is an operator with a role. Every role may read everything; `judge` in the core
 * checks changes.
 */
function isJudgedByRole({ role }: Principal): boolean {
  return role !== undefined
}

function refuseUnlessManaging({ manage }: Principal, path: string): void {
  if (!manage) throw new ApiError('Forbidden', `/${path} needs the permission manage`)
}

function refuseUngranted({ grants }: Principal, method: Method, path: string): void {
  if (grants && !grants[path]?.includes(method))
    throw new ApiError('Forbidden', `The key may not ${method} /${path}`)
}

/**
 * Checks that the principal may read every resource that a query reaches. Objects shown by default come
 * with their parent. Any other relation in `fields`, a filter, a function, `group_by` or `order_by`
 * requires the right to GET it. Attributes that the principal is not shown are refused in `fields`. Throws
 * `Forbidden`.
 */
export function authorizeQuery(principal: Principal, { model }: ResourceModel, query: Query): void {
  if (!principal.manage) refuseManagedFilters(query)
  if (!principal.grants) return
  const { shown } = principal
  const hidden = shown && query.fields.find((name) => !shown.includes(parseName(name)?.[0] ?? ''))
  if (hidden !== undefined) throw new ApiError('Forbidden', `The key is not shown ${hidden}`)
  const reach = (field: OneField | ManyField) => {
    if (!isDefault(field)) authorize(principal, 'GET', model.get(field.to))
  }
  for (const { steps } of targetsOf(query)) {
    for (const { field } of steps) reach(field)
  }
  reachShown(query.shape, reach)
}

function refuseManagedFilters({ conditions }: Query): void {
  for (const {
    target: { end },
  } of conditions) {
    if (end.kind === 'value' && end.field.kind === 'secret' && end.field.managedFilter)
      throw new ApiError('Forbidden', `A filter on ${end.path.join('.')} needs the permission manage`)
  }
}

function reachShown({ relations }: RowShape, reach: (field: OneField | ManyField) => void): void {
  for (const { field, shape } of relations) {
    reach(field)
    reachShown(shape, reach)
  }
}

/**
 * Refuses requests of a client key that do not create one object at a granted path. A dry run is refused,
 * too. The check comes before any read, so that the answer reveals no data. Throws `Forbidden`.
 */
export function refuseBeyondCreating(
  { principal, method, dryRun }: ApiRequest,
  { joined }: RequestPath,
): void {
  if (principal.kind !== 'client') return
  if (method !== 'POST' || !principal.grants?.[joined]?.includes(method))
    throw new ApiError('Forbidden', `A client key may not ${method} /${joined}`)
  if (dryRun) throw new ApiError('Forbidden', 'A client key may not ask for a dry run')
}

/** Refuses a list from a client key. Throws `Forbidden`. */
export function refuseList({ principal }: ApiRequest): void {
  if (principal.kind === 'client')
    throw new ApiError('Forbidden', 'A client key creates one object at a time')
}
