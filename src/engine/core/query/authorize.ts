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
 * Checks that the principal may use an admin operation. Those concern the whole environment, except one that `isScoped`.
 * Throws `Forbidden`.
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

/** Whether the role of an operator says what they may do: every role reads all, and the core judges what it changes. */
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
 * Checks that the principal may read every resource that a query reaches: what is shown by default comes with its parent,
 * any other relation in `fields`, a filter, a function, `group_by` or `order_by` is a GET of its own. Of what it is not
 * shown, it names nothing in `fields`.
 * Throws `Forbidden`.
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
 * A client key creates one object at a time, for real, at the paths it is granted. All else is refused before anything
 * is read, so that the answer reveals nothing. Throws `Forbidden`.
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
