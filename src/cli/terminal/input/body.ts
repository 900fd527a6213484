import type { Json, JsonObject } from '../../../schema/json.js'

/** Sets the value at a path, and creates the objects on the way. */
export function put(body: JsonObject, path: readonly string[], value: Json): void {
  const [name, ...rest] = path
  if (name === undefined) return
  if (rest.length === 0) {
    own(body, name, value)
    return
  }
  const inner = valueAt(body, [name])
  const object = isObject(inner) ? inner : {}
  own(body, name, object)
  put(object, rest, value)
}

/** A file chooses the names: `__proto__` must not lead to what every object inherits. */
function own(body: JsonObject, name: string, value: Json): void {
  Object.defineProperty(body, name, { value, enumerable: true, configurable: true, writable: true })
}

/** The value at a path; undefined when there is none. */
export function valueAt(body: JsonObject, path: readonly string[]): Json | undefined {
  let value: Json | undefined = body
  for (const name of path) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return value
}

/** Whether there is a value at a path. */
export function has(body: JsonObject, path: readonly string[]): boolean {
  return valueAt(body, path) !== undefined
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
