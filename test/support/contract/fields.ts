import type { QueryPair } from '../../../src/engine/core/request/request.js'
import type { Json, JsonObject } from '../../../src/schema/json.js'
import { type Schema, schemaAt } from './document.js'

/** The names that a query requests in `fields`; undefined if it requests none. */
export function fieldsOf(query: readonly QueryPair[] = []): readonly string[] | undefined {
  const names = namesOf(query, /^fields?(\[|$)/)
  return names.length === 0 ? undefined : names
}

/** Attribute names that each group of a grouped query must have; undefined if the query does not group. */
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

/** Groups in a body that have other values than the requested ones, each described in a sentence. */
export function groupMissesOf(body: JsonObject, names: readonly string[]): string[] {
  const expected = [...new Set(names)].join()
  const unlike = objectsOf(body).filter((group) => Object.keys(group).join() !== expected)
  return unlike.map((group) => `a group has ${Object.keys(group).join()}, not ${expected}`)
}

/**
 * Describes the objects that do not have exactly the requested attributes. `plain` is the schema without
 * `fields`. `*` requests its required attributes. Its optional attributes may appear without being requested,
 * or be omitted if they have no value.
 */
export function missesOf(plain: Schema, body: JsonObject, fields: readonly string[]): string[] {
  const { properties = {}, required = [] } = objectSchema(plain)
  const expected = new Set(fields.flatMap((name) => (name === '*' ? required : [headOf(name)])))
  // Optional attributes that are not lists. Nested lists appear without being requested only in the answer to
  // the request that sent them.
  const once = Object.entries(properties)
    .filter(([name, { items }]) => !required.includes(name) && !items)
    .map(([name]) => name)
  return objectsOf(body).flatMap((object) => [
    ...[...expected]
      .filter((name) => !(name in object) && !once.includes(name))
      .map((name) => `${name} was requested, and is missing`),
    ...Object.keys(object)
      .filter((name) => !expected.has(name) && !once.includes(name))
      .map((name) => `${name} was not requested`),
  ])
}

/**
 * Attribute that a name in `fields` requests: `payment_method` for `payment_method[card]`. A function such as
 * `sum(amount)` is its own attribute.
 */
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
