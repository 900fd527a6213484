import type { Json, JsonObject } from '../../../schema/json.js'
import { ApiError } from './api-error.js'

/** Maximum number of objects in one list. */
const LARGEST_LIST = 1_000

/** Items of a request body: one object, or a list of objects. */
export type BodyItems =
  | { readonly kind: 'one'; readonly value: Json }
  | { readonly kind: 'list'; readonly values: Json[] }

/**
 * Items of a request body: a single object, `{object: list, values: […]}`, a bare list, or a form's
 * `{"0": …}`. Throws `BadRequest` for any other body, and for more than `LARGEST_LIST` items.
 */
export function parseBodyItems(body: Json | undefined): BodyItems {
  if (body === undefined || body === null) return { kind: 'one', value: {} }
  if (typeof body !== 'object')
    throw new ApiError('BadRequest', 'The body must be an object or a list of objects')
  const values = Array.isArray(body) ? body : (valuesOf(body) ?? listOf(numbered(body)))
  if (!values) return { kind: 'one', value: body }
  if (values.length > LARGEST_LIST)
    throw new ApiError('BadRequest', `A list may have at most ${LARGEST_LIST} items`)
  return { kind: 'list', values }
}

/**
 * Values of a body with `object: list`; undefined for any other body. Throws `BadRequest` if such a body
 * has no list of values.
 */
function valuesOf(body: JsonObject): Json[] | undefined {
  if (body.object !== 'list') return undefined
  const values = listOf(body.values ?? null)
  if (values) return values
  throw new ApiError('BadRequest', 'A list needs values', {
    values: body.values ? 'Must be a list' : 'Required',
  })
}

function listOf(values: Json): Json[] | undefined {
  if (Array.isArray(values)) return values
  const listed = values !== null && typeof values === 'object' ? numbered(values) : null
  return Array.isArray(listed) ? listed : undefined
}

/** Values of an object whose names are all numbers, as forms send lists; null for any other object. */
function numbered(body: JsonObject): Json {
  const names = Object.keys(body)
  return names.length > 0 && names.every((name) => /^\d+$/.test(name)) ? Object.values(body) : null
}
