import fc from 'fast-check'
import type { QueryPair } from '../../../../src/engine/core/request/request.js'
import type { Fields } from '../../../../src/schema/field.js'
import type { Registry } from '../../../../src/schema/registry.js'
import { attributesOf, type Resource } from '../../../../src/schema/resource.js'
import { isFilteredKind, samples } from './kinds.js'

/** Values that are valid for some kind of field, almost valid, or hard for a database. */
const LITERALS = [
  '',
  '0',
  '1',
  '-1',
  '10.00',
  '0.005',
  '1e400',
  '1e-9',
  '99999999999999999999',
  '9007199254740993',
  'true',
  'FALSE',
  'null',
  'NULL',
  'NaN',
  'Infinity',
  '2026-01-31',
  '2026-02-30',
  '2026-01-31 12:00:00',
  '12/39',
  '01/31/2026',
  'card',
  'processed',
  'payment',
  'a',
  'Ada',
  '%',
  '_',
  '*',
  "'",
  '"',
  '\\',
  '--',
  '4242424242424242',
  '{"a":1}',
  '[]',
  'ada@example.com',
  '💥',
  'ß',
  '\0',
  '\ud800',
  '($1)',
  '?',
  ' ',
]
/** Operators; those that most kinds support appear twice. */
const OPERATORS = ['', '', '', '!', '!', '<', '<=', '>', '>=', '?*']
const FUNCTIONS = [
  'sum',
  'avg',
  'min',
  'max',
  'min',
  'max',
  'year',
  'month',
  'day',
  'hour',
  'count',
  'median',
]

/** Queries in the grammar of the API, about existing attributes at any depth, and some unknown ones. */
export function queriesOf(registry: Registry, resource: Resource): fc.Arbitrary<QueryPair[]> {
  const attribute = attributesAt(registry, resource)
  const name = attribute.map(({ name }) => name)
  const call = fc.oneof(
    fc.constant('count(*)'),
    fc.tuple(fc.constantFrom(...FUNCTIONS), name).map(([word, argument]) => `${word}(${argument})`),
  )
  const asked = fc.oneof({ weight: 3, arbitrary: name }, { weight: 1, arbitrary: call })
  const filter = fc.oneof(
    { weight: 4, arbitrary: attribute.chain((it) => filterOf(it.name, it.kind)) },
    { weight: 1, arbitrary: call.chain((it) => filterOf(it, 'integer')) },
  )
  const order = fc.tuple(
    fc.constantFrom('order_by', 'order_by[]'),
    fc.oneof(
      asked,
      asked.map((it) => `-${it}`),
    ),
  )
  const group = fc.tuple(fc.constant('group_by'), asked)
  const fields = fc.tuple(fc.constantFrom('fields', 'field', 'fields[0]'), asked)
  return fc
    .tuple(fc.array(filter, { maxLength: 3 }), seldom(order), seldom(group), seldom(fields))
    .map((parts) => parts.flat())
}

function seldom<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant<T[]>([]) },
    { weight: 1, arbitrary: fc.array(arbitrary, { maxLength: 2 }) },
  )
}

/** A filter, mostly with values of the attribute's kind. */
function filterOf(name: string, kind: string): fc.Arbitrary<QueryPair> {
  const known = isFilteredKind(kind) ? samples[kind].literals.map(([written]) => written) : []
  const literal = fc.oneof(
    { weight: known.length > 0 ? 12 : 0, arbitrary: fc.constantFrom(...known, '') },
    { weight: 2, arbitrary: fc.constantFrom(...LITERALS) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }) },
  )
  const test = fc.tuple(fc.constantFrom(...OPERATORS), literal).map((parts) => parts.join(''))
  const tests = fc.array(test, { minLength: 1, maxLength: 3 })
  return tests.map((each): QueryPair => [name, each.join('|')])
}

interface Attribute {
  readonly name: string
  readonly kind: string
}

function attributesAt(registry: Registry, resource: Resource): fc.Arbitrary<Attribute> {
  const turns = fc.array(fc.nat(1_000), { minLength: 1, maxLength: 4 })
  return turns.map((choices) => {
    const { path, kind } = walk(registry, attributesOf(resource), choices)
    const [head = '', ...rest] = path
    return { name: head + rest.map((part) => `[${part}]`).join(''), kind }
  })
}

interface Walked {
  readonly path: readonly string[]
  readonly kind: string
}

/** Follows attributes by the given choices until no further step is possible. */
function walk(registry: Registry, fields: Fields, [choice = 0, ...choices]: readonly number[]): Walked {
  const names = Object.keys(fields)
  const name = names[choice % (names.length + 1)] ?? 'colour'
  const field = fields[name]
  if (!field) return { path: [name], kind: 'none' }
  switch (field.kind) {
    case 'group':
    case 'rows':
      return below([name], walk(registry, field.fields, choices))
    case 'one':
    case 'many': {
      const target = registry.find(field.to)
      if (!target || choices.length === 0) return { path: [name], kind: 'id' }
      const index = field.kind === 'many' && choice % 2 === 0 ? ['0'] : []
      return below([name, ...index], walk(registry, attributesOf(target), choices))
    }
    case 'json': {
      const keys = choices.map((turn) => ['a', '0', 'plain', 'x y'][turn % 4] ?? '')
      return { path: [name, ...keys], kind: keys.length > 0 ? 'integer' : 'json' }
    }
    default:
      return { path: [name], kind: field.kind }
  }
}

function below(outer: readonly string[], { path, kind }: Walked): Walked {
  return { path: [...outer, ...path], kind }
}
