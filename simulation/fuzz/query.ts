import type { QueryPair } from '../../src/engine/core/request/request.js'
import { type Operation, type Schema, schemaAt } from './document.js'
import { hostileName, hostileText } from './hostile.js'
import { type Making, valueFor } from './values.js'

const AGGREGATES = ['count', 'sum', 'avg', 'min', 'max']
const PARTS = ['year', 'month', 'day', 'hour']
const OPERATORS = ['', '', '', '', '!', '<', '<=', '>', '>=', '?', '?*', '!?*', '<>', '=', '|']
const DEEPEST = 4

/** Random query parameters of a request, most of them valid. */
export function queryOf(making: Making, operation: Operation): QueryPair[] {
  const { chance } = making
  const pairs = operation.parameters.flatMap((parameter) => parameterOf(making, operation, parameter))
  if (chance.percent(4)) pairs.push([hostileName(chance), hostileText(chance)])
  if (chance.percent(2)) pairs.push([`a${'[b'.repeat(chance.integer(1, 60))}`, 'x'])
  if (chance.percent(1))
    pairs.push(...Array.from({ length: 300 }, (): QueryPair => ['id', hostileText(chance)]))
  return pairs
}

function parameterOf(making: Making, operation: Operation, parameter: string): QueryPair[] {
  if (parameter === 'filters') return making.chance.percent(55) ? filters(making, operation) : []
  const way = PARAMETERS[parameter]
  if (!way || !making.chance.percent(way.share)) return []
  const name = parameter === 'fields' && making.chance.percent(10) ? 'field' : parameter
  return [[name, making.chance.percent(6) ? hostileText(making.chance) : way.make(making, operation)]]
}

/** Generator of a parameter: the percentage of requests that have it, and the function that makes its value. */
interface Way {
  readonly share: number
  readonly make: (making: Making, operation: Operation) => string
}

const PARAMETERS: Readonly<Record<string, Way>> = {
  mode: { share: 50, make: () => 'query' },
  fields: { share: 35, make: (making, operation) => names(making, 4, () => fieldOf(making, operation)) },
  limit: { share: 70, make: ({ chance }) => String(chance.integer(1, 20)) },
  offset: { share: 10, make: ({ chance }) => String(chance.integer(0, 50)) },
  after: { share: 8, make: ({ chance, known }) => known.id(chance) },
  order_by: { share: 25, make: (making, operation) => names(making, 2, () => orderOf(making, operation)) },
  group_by: { share: 12, make: (making, operation) => names(making, 3, () => groupOf(making, operation)) },
  date: { share: 90, make: () => '2026-11-21' },
  transaction_id: { share: 95, make: ({ chance, known }) => known.id(chance, 'transaction') },
}

function names({ chance }: Making, most: number, name: () => string): string {
  return Array.from({ length: chance.integer(1, most) }, name).join(',')
}

function filters(making: Making, operation: Operation): QueryPair[] {
  const { chance } = making
  return Array.from({ length: chance.integer(1, 2) }, () => {
    const attribute = attributeOf(making, operation)
    const asked = chance.percent(6)
      ? called(making, [...PARTS, ...AGGREGATES], attribute.name)
      : attribute.name
    const values = Array.from({ length: chance.percent(15) ? 3 : 1 }, () => textOf(making, attribute))
    return [asked, (chance.pick(OPERATORS) ?? '') + values.join('|') + (chance.percent(8) ? '*' : '')]
  })
}

function fieldOf(making: Making, operation: Operation): string {
  const { chance } = making
  if (chance.percent(30)) return '*'
  const name = nameOf(making, operation)
  if (chance.percent(8)) return called(making, AGGREGATES, chance.percent(20) ? '*' : name)
  return chance.percent(5) ? called(making, PARTS, name) : name
}

function groupOf(making: Making, operation: Operation): string {
  const name = nameOf(making, operation)
  return making.chance.percent(60) ? name : called(making, PARTS, name)
}

function orderOf(making: Making, operation: Operation): string {
  const { chance } = making
  const name = nameOf(making, operation)
  if (chance.percent(15)) return called(making, ['desc', 'asc', ...AGGREGATES, ...PARTS], name)
  return chance.percent(40) ? `-${name}` : name
}

function called({ chance }: Making, functions: readonly string[], name: string): string {
  const call = `${chance.percent(95) ? chance.pick(functions) : hostileName(chance)}(${name})`
  return chance.percent(4) ? `${chance.pick(functions)}(${call})` : call
}

/** Random value of a filter, usually a valid one. */
function textOf(making: Making, { name, schema }: Attribute): string {
  const { chance } = making
  if (chance.percent(8)) return hostileText(chance)
  const last = name.replace(/\]$/, '').replace(/^.*\[/, '')
  const value = valueFor(making, last === 'id' ? { pattern: '^[\\w-]' } : schema, last)
  return typeof value === 'object' ? 'x' : String(value)
}

interface Attribute {
  /** Name as in a query, such as `payment_method[card][expiry]`. */
  readonly name: string
  readonly schema: Schema
}

function nameOf(making: Making, operation: Operation): string {
  return attributeOf(making, operation).name
}

/** Random attribute of an operation's objects, at any depth. */
function attributeOf(making: Making, { answers = {} }: Operation): Attribute {
  const { chance } = making
  if (chance.percent(2)) return { name: hostileName(chance), schema: {} }
  const { name, schema } = within(making, objectSchema(answers), '', 0)
  return { name: chance.percent(2) ? twisted(making, name) : name, schema }
}

function within(making: Making, object: Schema, before: string, depth: number): Attribute {
  const { chance } = making
  const own = chance.pick(Object.keys(object.properties ?? {}))
  if (own === undefined) return { name: before, schema: object }
  const name = before === '' ? own : `${before}[${own}]`
  if (own === 'attrs' && chance.percent(60)) return { name: `${name}[order][id]`, schema: {} }
  const schema = object.properties?.[own] ?? {}
  const parts = partsOf(schema)
  if (!parts || depth === DEEPEST || chance.percent(5)) return { name, schema }
  const place = chance.percent(3) ? `[${chance.pick(['0', '1', '', '*', '-1', '9'.repeat(20)]) ?? ''}]` : ''
  return within(making, parts, name + place, depth + 1)
}

function twisted({ chance }: Making, name: string): string {
  return chance.pick([`${name}[`, `${name}]`, `[${name}]`, `${name}[]`, `${name}[0]`]) ?? name
}

/** Schema of the objects in an answer, which is a list or a single object. */
function objectSchema(answers: Schema): Schema {
  const [first = answers] = answers.anyOf ?? []
  const schema = schemaAt(first)
  const { items } = schemaAt(schema.properties?.['values'] ?? {})
  return items ? schemaAt(items) : schema
}

/** Schema of the attributes inside an attribute; undefined if it has none. */
function partsOf(asked: Schema): Schema | undefined {
  const schema = schemaAt(asked)
  if (schema.properties) return schema
  if (schema.items) return partsOf(schema.items)
  for (const part of schema.anyOf ?? []) {
    const found = partsOf(part)
    if (found) return found
  }
  return undefined
}
