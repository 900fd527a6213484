import { isObject, type Json, type JsonObject, valueAt } from '../../../schema/json.js'

export { isObject, valueAt } from '../../../schema/json.js'

/** Sets the value at a path, and creates missing objects on the way. */
export function put(body: JsonObject, path: readonly string[], value: Json): void {
  let object = body
  const last = path.length - 1
  for (const [index, name] of path.entries()) {
    if (index === last) own(object, name, value)
    else object = objectAt(object, name)
  }
}

/** The object at a name, created if there is none. */
function objectAt(body: JsonObject, name: string): JsonObject {
  const known = Object.hasOwn(body, name) ? body[name] : undefined
  if (isObject(known)) return known
  const made: JsonObject = {}
  own(body, name, made)
  return made
}

/**
 * Sets an own property. Names may come from a file: an assignment to `__proto__` would change the prototype instead.
 */
function own(body: JsonObject, name: string, value: Json): void {
  if (name !== '__proto__') body[name] = value
  else Object.defineProperty(body, name, { value, enumerable: true, configurable: true, writable: true })
}

/** Removes the value at a path. */
export function drop(body: JsonObject, path: readonly string[]): void {
  const parent = valueAt(body, path.slice(0, -1))
  const last = path.at(-1)
  if (isObject(parent) && last !== undefined) delete parent[last]
}

/** Whether there is a value at a path. */
export function has(body: JsonObject, path: readonly string[]): boolean {
  return valueAt(body, path) !== undefined
}
