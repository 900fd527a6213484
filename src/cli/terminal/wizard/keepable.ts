import type { Field, Fields } from '../../../schema/field.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import { jsonProblem } from '../../../schema/json-problem.js'
import type { Registry } from '../../../schema/registry.js'
import { attributesOf } from '../../../schema/resource.js'
import { isObject } from '../input/body.js'

/**
 * The part of a body that may be saved in a file. Secrets, transient values, contents of files and
 * undeclared attributes are removed, and so are values that contain a card number.
 */
export function keepable(registry: Registry, fields: Fields, body: JsonObject): JsonObject {
  const kept: JsonObject = {}
  for (const [name, value] of Object.entries(body)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const part = field && keepablePart(registry, field, value)
    if (part !== undefined) kept[name] = part
  }
  return kept
}

function keepablePart(registry: Registry, field: Field, value: Json): Json | undefined {
  if (field.transient) return undefined
  switch (field.kind) {
    case 'secret':
    case 'file':
    case 'alias':
      return undefined
    case 'group':
    case 'rows':
      return keepableObjects(registry, field.fields, value)
    case 'one':
    case 'many': {
      const target = registry.find(field.to)
      return target && keepableObjects(registry, attributesOf(target), value)
    }
    default:
      return jsonProblem(value, { isKept: true }) ? undefined : value
  }
}

/**
 * The part of an object, or of each object of a list, that may be saved. No object is removed, so that
 * positions do not change.
 */
function keepableObjects(registry: Registry, fields: Fields, value: Json): Json | undefined {
  if (Array.isArray(value)) return value.filter(isObject).map((object) => keepable(registry, fields, object))
  return isObject(value) ? keepable(registry, fields, value) : undefined
}
