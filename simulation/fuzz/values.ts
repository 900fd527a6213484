import type { Json, JsonObject } from '../../src/schema/json.js'
import type { Chance } from '../../test/support/chance.js'
import { type Schema, schemaAt } from './document.js'
import { hostile, hostileName } from './hostile.js'
import type { Known } from './known.js'
import { NUMBERS, TEXTS, USUAL } from './usual.js'

const DEEPEST = 4

/** Randomness, and known ids, from which requests are generated. */
export interface Making {
  readonly chance: Chance
  readonly known: Known
}

/** Random value for a schema, usually a valid one. */
export function valueFor(making: Making, asked: Schema, name = '', depth = 0): Json {
  const { chance } = making
  const schema = schemaAt(asked)
  const { anyOf, allOf, items, properties } = schema
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return chance.pick(schema.enum) ?? null
  if (anyOf) {
    const chosen = chance.pick(anyOf.filter(({ type }) => type !== 'null' || chance.percent(10)))
    return chosen ? valueFor(making, chosen, name, depth) : null
  }
  if (allOf) {
    const [first = {}] = allOf
    return objectOf(making, { ...schemaAt(first), required: schema.required ?? [] }, depth)
  }
  if (properties) return objectOf(making, schema, depth)
  if (items) {
    const length = chance.percent(3) ? 12 : chance.integer(0, 2)
    return Array.from({ length }, () => valueFor(making, items, name, depth + 1))
  }
  return scalar(making, schema, name)
}

function objectOf(making: Making, { properties = {}, required = [] }: Schema, depth: number): JsonObject {
  const { chance } = making
  const share = depth === 0 ? 25 : 12
  const isWanted = (name: string, schema: Schema) => {
    if (required.includes(name)) return chance.percent(97)
    if (schema.readOnly || depth >= DEEPEST) return chance.percent(1)
    if (/required in this object/.test(JSON.stringify(schema))) return chance.percent(90)
    return chance.percent(share)
  }
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name, schema]) => isWanted(name, schema))
      .map(([name, schema]) => [name, valueFor(making, schema, name, depth + 1)]),
  )
}

/** A single value: the id of an existing object, a usual value for the name, or a text. */
function scalar({ chance, known }: Making, { type = [], pattern = '' }: Schema, name: string): Json {
  if (pattern.startsWith('^[\\w-]')) return idOf({ chance, known }, name)
  const usual = USUAL[name]
  if (usual && usual.length > 0 && chance.percent(95)) return chance.pick(usual) ?? null
  const types = [type].flat()
  if (types.includes('boolean')) return chance.percent(60)
  if (types.includes('number') || types.includes('integer')) return chance.pick(NUMBERS) ?? 1
  return chance.pick(TEXTS) ?? ''
}

/** Random id for an attribute, usually of the right kind, such as a customer's for `customer_id`. */
function idOf({ chance, known }: Making, name: string): string {
  if (chance.percent(8)) return known.id(chance)
  const object = name.replace(/_id$/, '').replace(/^(primary|assoc|parent|billing(?=_id))_/, '')
  return known.id(chance, OBJECTS[object] ?? object)
}

const OBJECTS: Readonly<Record<string, string>> = {
  processing: 'processing_account',
  payment: 'transaction',
}

/** Copy of a value with `times` random errors. */
export function spoilt(making: Making, value: Json, times: number): Json {
  let spoiling = value
  for (let n = 0; n < times; n++) spoiling = spoil(making, spoiling)
  return spoiling
}

function spoil(making: Making, value: Json): Json {
  const { chance } = making
  if (typeof value !== 'object' || value === null || chance.percent(12)) return hostile(chance)
  if (Array.isArray(value)) {
    const at = chance.integer(0, value.length)
    const part = value[at]
    if (part === undefined || chance.percent(20)) return [...value, hostile(chance)]
    if (chance.percent(20)) return [...value, part]
    return value.with(at, spoil(making, part))
  }
  return spoilObject(making, value)
}

function spoilObject(making: Making, value: JsonObject): JsonObject {
  const { chance, known } = making
  const entries = Object.entries(value)
  const [name = 'id', part = null] = chance.pick(entries) ?? []
  const others = entries.filter(([other]) => other !== name)
  switch (chance.integer(0, 7)) {
    case 0:
      return Object.fromEntries(others)
    case 1:
      return Object.fromEntries([...others, [hostileName(chance), part]])
    case 2:
      return Object.fromEntries([...entries, [hostileName(chance), hostile(chance)]])
    case 3:
      return Object.fromEntries([...others, [name, [part]]])
    case 4:
      return Object.fromEntries([...entries, ['id', known.id(chance)]])
    default:
      return Object.fromEntries([...others, [name, spoil(making, part)]])
  }
}
