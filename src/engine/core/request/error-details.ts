import type { Json, JsonObject } from '../../../schema/json.js'
import { isTree } from '../../../schema/types.js'
import { ApiError, invalidAttributes } from './api-error.js'

/**
 * Runs `part`, which handles one part of a tree. If it throws `InvalidAttributes`, the part's path is put
 * in front of the details.
 */
export async function withDetailPath<T>(path: readonly string[], part: () => Promise<T>): Promise<T> {
  try {
    return await part()
  } catch (error) {
    if (error instanceof ApiError && error.type === 'InvalidAttributes')
      throw invalidAttributes(detailsUnder(path, error.details))
    throw error
  }
}

/** `details`, nested under the names of `path`. */
export function detailsUnder(path: readonly string[], details: JsonObject): JsonObject {
  return path.reduceRight<JsonObject>((inner, name) => ({ [name]: inner }), details)
}

interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly keys?: readonly string[]
}

/** Messages of a failed validation, as a tree in the shape of the request's body. */
export function detailsOf(issues: readonly Issue[]): JsonObject {
  const details: JsonObject = {}
  for (const { path, message, keys } of issues) {
    const at = path.map(String)
    if (keys) for (const key of keys) putDetail(details, [...at, key], 'Unknown attribute')
    else putDetail(details, at, message)
  }
  return details
}

/** Puts a message at the path of its attribute. The first message of an attribute is kept. */
export function putDetail(
  details: JsonObject,
  [head = 'body', ...rest]: readonly string[],
  message: string,
): void {
  const inner = Object.hasOwn(details, head) ? details[head] : undefined
  if (rest.length === 0) {
    own(details, head, inner ?? message)
    return
  }
  const branch: JsonObject = isTree(inner) ? inner : {}
  own(details, head, branch)
  putDetail(branch, rest, message)
}

/**
 * Clients choose the names: `__proto__` must become an ordinary property and must not change the prototype.
 */
function own(details: JsonObject, name: string, value: Json): void {
  Object.defineProperty(details, name, { value, enumerable: true, configurable: true, writable: true })
}
