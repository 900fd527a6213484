import { readInput, readPlainInput } from '../../../model/input/read-input.js'
import type { ValidationOptions } from '../../../model/input/sent-input.js'
import type { ResourceModel } from '../../../model/resource-model.js'
import type { PlainFields } from '../../../schema/admin-operation.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import { type Input, isTree } from '../../../schema/types.js'
import { ApiError, invalidAttributes } from '../request/api-error.js'
import { detailsOf } from '../request/error-details.js'

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

/** Validates one object. Throws `InvalidAttributes` in the shape of what was sent. */
export function validated(resource: ResourceModel, writing: ValidationOptions, value: Json): Input {
  const result = readInput(resource, writing, value)
  if (!result.success) throw invalidAttributes(detailsOf(result.error.issues))
  return isTree(result.data) ? result.data : {}
}

/** Validates attributes that belong to no resource, as an action's. Throws `InvalidAttributes`. */
export function validatedPlain(fields: PlainFields, value: unknown): Input {
  const result = readPlainInput(fields, value)
  if (!result.success) throw invalidAttributes(detailsOf(result.error.issues))
  return isTree(result.data) ? result.data : {}
}

/**
 * Processes items in order and collects their errors by index. Throws when one failed: nothing of
 * the list may stand then.
 */
export async function judgeEach<I, O>(
  items: readonly I[],
  judge: (item: I, index: number) => Promise<O>,
): Promise<O[]> {
  const done: O[] = []
  const details: JsonObject = {}
  let first: ApiError | undefined
  for (const [index, item] of items.entries()) {
    try {
      done.push(await judge(item, index))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      details[index] = error.type === 'InvalidAttributes' ? error.details : error.description
      if (!first || first.type === 'InvalidAttributes') first = error
    }
  }
  if (!first) return done
  if (first.type === 'InvalidAttributes') throw invalidAttributes(details)
  throw new ApiError(first.type, first.description, details)
}
