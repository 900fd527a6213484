import type { Json, JsonObject } from '../../../src/core/json.js'
import type { QueryPair } from '../../../src/core/request.js'
import { type Schema, schemaAt } from './document.js'

/** The names that a query asks for in `fields`; nothing when it asks for none. */
export function fieldsOf(query: readonly QueryPair[] = []): readonly string[] | undefined {
  const names = query
    .filter(([name]) => /^fields?(\[|$)/.test(name.trim()))
    .flatMap(([, value]) => value.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return names.length === 0 ? undefined : names
}

/**
 * Where objects do not have exactly the attributes that were asked for. `plain` is the schema without `fields`: what it
 * requires is what `*` means, and what it only allows is shown once without being asked for.
 */
export function missesOf(plain: Schema, body: JsonObject, fields: readonly string[]): string[] {
  if (fields.some((name) => name.includes('('))) return []
  const { properties = {}, required = [] } = objectSchema(plain)
  const wanted = new Set(fields.flatMap((name) => (name === '*' ? required : [headOf(name)])))
  const once = Object.keys(properties).filter((name) => !required.includes(name))
  return objectsOf(body).flatMap((object) => [
    ...[...wanted].filter((name) => !(name in object)).map((name) => `${name} was asked for`),
    ...Object.keys(object)
      .filter((name) => !wanted.has(name) && !once.includes(name))
      .map((name) => `${name} was not asked for`),
  ])
}

/** `payment_method[card]` asks for a part of `payment_method`. */
function headOf(name: string): string {
  return name.split('[', 1)[0] ?? name
}

function objectSchema(plain: Schema): Schema {
  const schema = schemaAt(plain)
  const { items } = schema.properties?.values ?? {}
  return items ? schemaAt(items) : schema
}

function objectsOf(body: JsonObject): JsonObject[] {
  return body.object === 'list' && Array.isArray(body.values) ? body.values.filter(isObject) : [body]
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
