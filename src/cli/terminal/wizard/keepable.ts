import type { Field, Fields } from '../../../schema/field.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import { jsonProblem } from '../../../schema/json-problem.js'
import type { Registry } from '../../../schema/registry.js'
import { attributesOf } from '../../../schema/resource.js'
import { isObject } from '../input/body.js'

/**
 * What of a body may stand in a file: what is declared, save secrets, what is never stored, contents of files, and
 * values with a card number in them.
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

/** An object, or each of a list: none is left out, so that what was typed second stays second. */
function keepableObjects(registry: Registry, fields: Fields, value: Json): Json | undefined {
  if (Array.isArray(value)) return value.filter(isObject).map((object) => keepable(registry, fields, object))
  return isObject(value) ? keepable(registry, fields, value) : undefined
}
