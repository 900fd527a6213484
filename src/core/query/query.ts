import { isStorable, Problem } from '../../schema/read.js'
import type { Registry } from '../../schema/registry.js'
import type { Resource } from '../../schema/resource.js'
import { put } from '../details.js'
import { ApiError, invalidAttributes } from '../errors.js'
import type { JsonObject } from '../json.js'
import type { QueryPair } from '../request.js'
import { parseSelection, type Selection } from '../selection.js'
import { type Condition, parseCondition } from './condition.js'
import { refuseExcess, refuseFar } from './limits.js'
import { parseName } from './name.js'
import { resolveTarget, type Target } from './target.js'

export interface Order {
  readonly target: Target
  readonly direction: 'asc' | 'desc'
}

/** A query string, understood. Spec: "Query parameters". */
export interface Query {
  readonly conditions: readonly Condition[]
  readonly selection: Selection
  /** The names in `fields` as they were asked. */
  readonly fields: readonly string[]
  readonly limit: number
  readonly offset: number
  readonly order: readonly Order[]
  /** `mode=query`: the filters name the objects of a PUT or DELETE. */
  readonly byQuery: boolean
}

const DEFAULT_LIMIT = 100
const LARGEST_LIMIT = 1_000

/** The parameters read so far, and what was not understood. */
interface Reading {
  readonly registry: Registry
  readonly resource: Resource
  readonly problems: JsonObject
  readonly conditions: Condition[]
  readonly fields: string[]
  readonly order: Order[]
  limit: number
  offset: number
  byQuery: boolean
}

/** Reads the parameters of a request to a resource. Throws `InvalidAttributes` that names every one not understood. */
export function parseQuery(registry: Registry, resource: Resource, pairs: readonly QueryPair[]): Query {
  refuseExcess(pairs)
  const reading: Reading = {
    registry,
    resource,
    problems: {},
    conditions: [],
    fields: [],
    order: [],
    limit: DEFAULT_LIMIT,
    offset: 0,
    byQuery: false,
  }
  for (const [name, value] of pairs) readParameter(reading, name, value)
  refuseFar(reading.conditions)
  const { selection, unknown } = parseSelection(registry, resource, reading.fields)
  for (const name of unknown)
    put(reading.problems, ['fields', ...(parseName(name) ?? [name])], 'Unknown attribute')
  if (Object.keys(reading.problems).length > 0) throw invalidAttributes(reading.problems)
  return { ...reading, selection }
}

function readParameter(reading: Reading, name: string, value: string): void {
  const path = parseName(name) ?? []
  switch (path[0]) {
    case 'fields':
    case 'field':
      reading.fields.push(...value.split(','))
      break
    case 'limit':
      reading.limit = parsePaging(name, value, 1, LARGEST_LIMIT)
      break
    case 'offset':
      reading.offset = parsePaging(name, value, 0, Number.MAX_SAFE_INTEGER)
      break
    case 'order_by':
      for (const written of value.split(',')) readOrder(reading, written.trim())
      break
    case 'mode':
      if (value !== 'query') put(reading.problems, ['mode'], 'Must be one of: query')
      reading.byQuery = true
      break
    default:
      readFilter(reading, path.length > 0 ? path : [name], value)
  }
}

function readFilter(
  { registry, resource, conditions, problems }: Reading,
  path: string[],
  value: string,
): void {
  const target = path.every(isStorable) ? resolveTarget(registry, resource, path) : undefined
  const condition = target ? parseCondition(target, value) : new Problem('Unknown attribute')
  if (condition instanceof Problem) put(problems, path, condition.message)
  else conditions.push(condition)
}

function readOrder({ registry, resource, order, problems }: Reading, written: string): void {
  const parsed = parseOrder(registry, resource, written)
  if (parsed) order.push(parsed)
  else put(problems, ['order_by', written], 'Unknown attribute')
}

function parsePaging(name: string, value: string, least: number, most: number): number {
  const number = /^\d{1,16}$/.test(value.trim()) ? Number(value) : Number.NaN
  if (number >= least && number <= most) return number
  const range = most === LARGEST_LIMIT ? `from ${least} to ${most}` : `of at least ${least}`
  throw new ApiError('BadRequest', `${name} must be a whole number ${range}`, {
    [name]: 'Must be valid number',
  })
}

/** `attr`, `-attr`, `asc(attr)`, `desc(attr)`. */
function parseOrder(registry: Registry, resource: Resource, written: string): Order | undefined {
  const match = /^(?:(asc|desc)\((.+)\)|(-?)(.+))$/.exec(written)
  const name = parseName(match?.[2] ?? match?.[4] ?? '')
  const target = name && resolveTarget(registry, resource, name)
  if (!target || target.end.kind === 'inside' || target.steps.some(({ field }) => field.kind === 'many'))
    return undefined
  return { target, direction: match?.[1] === 'desc' || match?.[3] === '-' ? 'desc' : 'asc' }
}

/** A condition that the path itself makes: this column holds that id. */
export function conditionOn(registry: Registry, resource: Resource, column: string, id: string): Condition {
  const target = resolveTarget(registry, resource, [column])
  if (!target) throw new Error(`${resource.name} has no attribute ${column}`)
  return { target, tests: [{ operator: '=', value: id }] }
}
