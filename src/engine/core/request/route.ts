import type { Model } from '../../../model/model.js'
import type { ResourceModel } from '../../../model/resource-model.js'
import type { Row } from '../../../schema/columns.js'
import type { ManyField, OneField } from '../../../schema/field.js'
import { type Action, relationOf } from '../../../schema/resource.js'
import { ApiError } from './api-error.js'

/** Target of a path. Spec: "Endpoints", generic operations and nested paths. */
export type Route =
  | { readonly kind: 'collection'; readonly resource: ResourceModel }
  | {
      readonly kind: 'item'
      readonly resource: ResourceModel
      readonly id: string
      readonly parent?: ParentRef
    }
  | { readonly kind: 'nested'; readonly resource: ResourceModel; readonly parent: ParentRef }
  | {
      readonly kind: 'action'
      readonly resource: ResourceModel
      readonly id: string
      readonly action: string
      /** Resource of the object that the action returns. */
      readonly answers: ResourceModel
    }

/** Parent object in a nested path, and its relation to the nested resource. */
export interface ParentRef {
  readonly resource: ResourceModel
  readonly id: string
  readonly field: OneField | ManyField
}

/** Path of a request, split once. */
export interface RequestPath {
  /** Path as it was written, for messages. */
  readonly text: string
  /** Segments without empty ones, so a trailing slash has no meaning. */
  readonly segments: readonly string[]
  /** Segments joined with slashes, as in `admin/maintenance`. */
  readonly joined: string
}

export function parsePath(text: string): RequestPath {
  const segments = text.split('/').filter((segment) => segment !== '')
  return { text, segments, joined: segments.join('/') }
}

/** Finds the route of a path. Throws `NotFound` for an unknown path. */
export function resolveRoute(model: Model, path: RequestPath): Route {
  const route = findRoute(model, path)
  if (!route) throw noSuchPath(path.text)
  return route
}

/** Whether a path belongs to a resource or an admin operation. The object itself need not exist. */
export function isPathOf(model: Model, path: RequestPath): boolean {
  return findRoute(model, path) !== undefined || model.operationsAt(path.joined).length > 0
}

/** Route of a path; undefined for an unknown path. Throws `NotFound` for a segment that cannot be an id. */
function findRoute(model: Model, { segments }: RequestPath): Route | undefined {
  const found = findResource(model, segments)
  if (!found) return undefined
  const { resource } = found
  const [id, name, inner, ...more] = found.rest
  if (id === undefined) return { kind: 'collection', resource }
  refuseNoId(resource, id)
  if (name === undefined) return { kind: 'item', resource, id }
  const field = relationOf(resource, name)
  const action = inner === undefined ? actionOf(resource, name) : undefined
  if (action) {
    const answers = action.answers === undefined ? resource : model.get(action.answers)
    return { kind: 'action', resource, id, action: name, answers }
  }
  if (!field || more.length > 0) return undefined
  const target = model.find(field.to)
  if (!target) return undefined
  const parent: ParentRef = { resource, id, field }
  if (inner === undefined) return { kind: 'nested', resource: target, parent }
  refuseNoId(target, inner)
  return { kind: 'item', resource: target, id: inner, parent }
}

function actionOf({ actions = {} }: ResourceModel, name: string): Action | undefined {
  return Object.hasOwn(actions, name) ? actions[name] : undefined
}

/**
 * Resource at the start of a path, with the remaining segments. Its own path has one segment, or two as in
 * `/admin/keys`.
 */
function findResource(model: Model, segments: readonly string[]) {
  for (const length of [2, 1]) {
    const resource = model.byPath(segments.slice(0, length).join('/'))
    if (resource && segments.length >= length) return { resource, rest: segments.slice(length) }
  }
  return undefined
}

/**
 * Whether a text has the form of an id. Other texts never reach the database, because databases differ in
 * the text they accept.
 */
export function mayBeId(text: string): boolean {
  return /^[\w-]{1,64}$/.test(text)
}

function refuseNoId(resource: ResourceModel, id: string): void {
  if (mayBeId(id)) return
  throw new ApiError('NotFound', `There is no ${resource.name} ${readable(id)}`)
}

/** Decoded segment, if all its characters are visible; else the segment as written. */
function readable(segment: string): string {
  try {
    const meant = decodeURIComponent(segment)
    return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u.test(meant) ? meant : segment
  } catch {
    return segment
  }
}

export function noSuchPath(path: string): ApiError {
  return new ApiError('NotFound', `There is no path ${path}`)
}

/** Whether the relation connects the parent's row with the other row. */
export function isRelated({ field }: ParentRef, parentRow: Row, row: Row): boolean {
  return field.kind === 'one' ? parentRow[field.by] === row.id : row[field.by] === parentRow.id
}
