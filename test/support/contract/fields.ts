import type { QueryPair } from '../../../src/engine/core/request/request.js'
import type { Json, JsonObject } from '../../../src/schema/json.js'
import { type Schema, schemaAt } from './document.js'

/** The names that a query requests in `fields`; undefined if it requests none. */
export function fieldsOf(query: readonly QueryPair[] = []): readonly string[] | undefined {
  const names = namesOf(query, /^fields?(\[|$)/)
  return names.length === 0 ? undefined : names
}

/** The names in each group of objects, if a query requests groups. */
export function groupNamesOf(query: readonly QueryPair[] = []): readonly string[] | undefined {
  const by = namesOf(query, /^group_by(\[|$)/)
  const fields = fieldsOf(query) ?? by
  const isSummed = [...query.map(([name]) => name), ...fields].some((name) => AGGREGATE.test(name))
  return by.length > 0 || isSummed ? fields : undefined
}
const AGGREGATE = /^(count|sum|avg|min|max)\(/

function namesOf(query: readonly QueryPair[], parameter: RegExp): string[] {
  return query
    .filter(([name]) => parameter.test(name.trim()))
    .flatMap(([, value]) => value.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** Groups that do not have exactly the requested values. */
export function groupMissesOf(body: JsonObject, names: readonly string[]): string[] {
  const expected = [...new Set(names)].join()
  const unlike = objectsOf(body).filter((group) => Object.keys(group).join() !== expected)
  return unlike.map((group) => `a group has ${Object.keys(group).join()}, not ${expected}`)
}

/**
 * Returns the objects that do not have exactly the requested attributes. `plain` is the schema without
 * `fields`. Its required attributes are the meaning of `*`. Its optional attributes may appear once without
 * being requested, or be omitted if they have no value.
 */
export function missesOf(plain: Schema, body: JsonObject, fields: readonly string[]): string[] {
  const { properties = {}, required = [] } = objectSchema(plain)
  const expected = new Set(fields.flatMap((name) => (name === '*' ? required : [headOf(name)])))
  // Nested lists are shown without being requested only where they were sent.
  const once = Object.entries(properties)
    .filter(([name, { items }]) => !required.includes(name) && !items)
    .map(([name]) => name)
  return objectsOf(body).flatMap((object) => [
    ...[...expected]
      .filter((name) => !(name in object) && !once.includes(name))
      .map((name) => `${name} was asked for`),
    ...Object.keys(object)
      .filter((name) => !expected.has(name) && !once.includes(name))
      .map((name) => `${name} was not asked for`),
  ])
}

/** The attribute of a requested name: `payment_method[card]` is a part of `payment_method`; a function has its own name. */
function headOf(name: string): string {
  if (name.includes('(')) return name
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
