import type { JsonObject } from '../../../schema/json.js'
import { UsageError } from '../failure/failure.js'
import { put } from '../input/body.js'

/**
 * Attributes by the names of columns, such as `amount` for `Total`. A column with an empty attribute is
 * skipped.
 */
export type Renaming = ReadonlyMap<string, string>

/** Reads `--map` flags such as `Total=amount` and `Note=`. Throws a `UsageError` for anything else. */
export function renamingOf(given: readonly string[]): Renaming {
  return new Map(
    given.map((text) => {
      const at = text.lastIndexOf('=')
      if (at < 1) throw new UsageError(`Expected --map 'Column=attribute', but received: ${text}`)
      return [text.slice(0, at).trim(), text.slice(at + 1).trim()]
    }),
  )
}

/** A line of JSON with its names replaced by attributes. */
export function renamed(body: JsonObject, renaming: Renaming): JsonObject {
  if (renaming.size === 0) return body
  const made: JsonObject = {}
  for (const [name, value] of Object.entries(body)) {
    const path = renaming.get(name) ?? name
    if (path !== '') put(made, renaming.has(name) ? path.split('.') : [name], value)
  }
  return made
}
