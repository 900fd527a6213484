import type { Operator } from '../../../../src/engine/core/query/alternatives.js'
import type { Json } from '../../../../src/schema/json.js'
import type { FilteredKind } from './kinds.js'
import type { Thing } from './things.js'

/** The time at which things are read. */
export const NOW = '2028-06-15 12:00:00'

/** A comparison by its meaning instead of its notation; null is compared only with `=` and `!`. */
export interface Comparison {
  readonly operator: Operator
  readonly value: Json
}

/** Every value that a path reaches from a thing: none if a relation is empty, many for lists. */
export function valuesAt(thing: Thing, path: readonly string[], all: readonly Thing[]): Json[] {
  const [head = '', ...rest] = path
  const further = /^\d*$/.test(rest[0] ?? 'x') ? rest.slice(1) : rest
  switch (head) {
    case 'next':
      return thing.next ? valuesAt(thing.next, rest, all) : []
    case 'children':
      return all.filter(({ parent }) => parent === thing).flatMap((child) => valuesAt(child, further, all))
    case 'list': {
      const { list } = thing.attributes
      return Array.isArray(list) ? list.map((item) => inside(item, further)) : []
    }
    default:
      return [ownValue(thing, head, path)]
  }
}

function ownValue(thing: Thing, head: string, path: readonly string[]): Json {
  const { attributes } = thing
  switch (head) {
    case 'id':
      return thing.id
    case 'object':
      return 'thing'
    case 'alias':
      return inside(attributes, ['within', 'text'])
    case 'derived': {
      const { datetime, integer } = attributes
      if (typeof datetime === 'string' && datetime <= NOW) return 'past'
      return Number(integer) > 0 ? 'high' : 'low'
    }
    default:
      return inside(attributes, path)
  }
}

function inside(value: Json, path: readonly string[]): Json {
  return path.reduce<Json>((outer, name) => (isBranch(outer) ? (Object(outer)[name] ?? null) : null), value)
}

function isBranch(value: Json): boolean {
  return typeof value === 'object' && value !== null
}

/** Whether a value of a kind passes a test. */
export function passes(kind: FilteredKind, value: Json, { operator, value: asked }: Comparison): boolean {
  if (operator === '?*') {
    const text = kind === 'json' ? JSON.stringify(value) : textOf(value)
    return value !== null && fold(text).includes(fold(String(asked)))
  }
  if (asked === null) return (operator === '=') === (value === null)
  if (value === null) return operator === '!'
  return isAsAsked(operator, ordering(kind, value, asked))
}

/** Whether a value inside JSON passes a test; a literal there has no kind. */
export function passesInside(value: Json, operator: Operator, literal: string): boolean {
  const isText = operator === '=' || operator === '!' || operator === '?*'
  if (isText) {
    const asked = literal === '' && operator !== '?*' ? null : literal
    return passes('text', value === null ? null : textOf(value), { operator, value: asked })
  }
  if (typeof value === 'number') {
    return (
      literal.trim() !== '' && !Number.isNaN(Number(literal)) && isAsAsked(operator, value - Number(literal))
    )
  }
  return typeof value === 'string' && isAsAsked(operator, byBytes(value, literal))
}

function isAsAsked(operator: Operator, order: number): boolean {
  switch (operator) {
    case '=':
      return order === 0
    case '!':
      return order !== 0
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    default:
      return order >= 0
  }
}

/**
 * A negative number if the first value comes first; numbers are compared with the precision of their kind.
 */
function ordering(kind: FilteredKind, one: Json, other: Json): number {
  switch (kind) {
    case 'money':
      return Math.round(Number(one) * 100) - Math.round(Number(other) * 100)
    case 'number':
      return Math.round(Number(one) * 10_000) - Math.round(Number(other) * 10_000)
    case 'integer':
    case 'flag':
      return Number(one) - Number(other)
    default:
      return byBytes(textOf(one), textOf(other))
  }
}

function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function fold(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}
