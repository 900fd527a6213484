import type { Json, JsonObject } from '../../../schema/json.js'
import { ApiError } from './api-error.js'

/** The most objects of one list. */
const LARGEST_LIST = 1_000

/** What a body holds: one object, or a list of them. */
export type BodyItems =
  | { readonly kind: 'one'; readonly value: Json }
  | { readonly kind: 'list'; readonly values: Json[] }

/** Distinguishes a single object from `{object: list, values: […]}`, a bare list, and a form's `{"0": …}`. */
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

/** Throws `BadRequest` for what says that it is a list, and has none. */
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

/** The values of an object whose every name is a number. */
function numbered(body: JsonObject): Json {
  const names = Object.keys(body)
  return names.length > 0 && names.every((name) => /^\d+$/.test(name)) ? Object.values(body) : null
}
