import type { ResourceModel } from '../../../model/resource-model.js'
import { parseName, placeIn } from '../../../schema/attribute-name.js'
import type { JsonObject } from '../../../schema/json.js'
import { NO_ID, Problem } from '../../../schema/problem.js'
import { isStorable } from '../../../schema/read.js'
import { DEFAULT_LIMIT, LARGEST_LIMIT } from '../../../schema/resource.js'
import { ApiError, invalidAttributes } from '../request/api-error.js'
import { putDetail } from '../request/error-details.js'
import type { QueryPair } from '../request/request.js'
import { type Computed, computedField, isFunctionCall, parseCall, type Term } from './call.js'
import { type Condition, parseTests } from './condition.js'
import { groupingOf, isGrouped, parseGroup } from './grouping.js'
import { type Having, isSealedCursor, keepsPlaces, type Order, type Query, targetsOf } from './query.js'
import { refuseExcess, refuseFar } from './query-limits.js'
import { fieldOf, isManifold, type QueryTarget, resolveTarget } from './target.js'

/** Parameters parsed so far, and the problems found. */
interface QueryDraft {
  readonly resource: ResourceModel
  readonly isList: boolean
  readonly problems: JsonObject
  readonly conditions: Condition[]
  readonly having: Having[]
  readonly fields: string[]
  readonly order: Order<Computed>[]
  readonly by: Term[]
  /** Names of the parameters that select rows of a list, or set their order. */
  readonly paging: string[]
  limit: number
  offset: number
  after: string | undefined
  byQuery: boolean
}

/**
 * Parameters that are refused for a change of all matches: ignoring them would change more objects than
 * intended.
 */
const PAGING: ReadonlySet<string> = new Set(['limit', 'offset', 'after', 'order_by'])

/**
 * Reads the query of a request to a resource; functions and groups are for lists only. Throws
 * `InvalidAttributes` that names everything unknown or wrong.
 */
export function parseQuery(resource: ResourceModel, pairs: readonly QueryPair[], isList: boolean): Query {
  if (pairs.length === 0) return wholeQuery(resource)
  refuseExcess(pairs)
  const reading: QueryDraft = {
    resource,
    isList,
    problems: {},
    conditions: [],
    having: [],
    fields: [],
    order: [],
    by: [],
    paging: [],
    limit: DEFAULT_LIMIT,
    offset: 0,
    after: undefined,
    byQuery: false,
  }
  for (const [name, value] of pairs) readParameter(reading, name, value)
  const { problems, conditions, fields, limit, offset, after, byQuery } = reading
  const query = { conditions, fields, limit, offset, after, byQuery, ...readFields(reading) }
  if (after !== undefined && query.grouping) putDetail(problems, ['after'], 'Only for lists of objects')
  if (after !== undefined && !isSealedCursor(after) && !keepsPlaces(query.order))
    putDetail(
      problems,
      ['after'],
      'Must be that of the link to the next page, as objects may move in this order',
    )
  if (after !== undefined && offset > 0) putDetail(problems, ['offset'], 'Not together with after')
  if (byQuery) for (const name of reading.paging) putDetail(problems, [name], 'Not together with mode=query')
  refuseFar(targetsOf(query))
  if (Object.keys(problems).length > 0) throw invalidAttributes(problems)
  return query
}

/** Query of a request without parameters, as in most requests for one object. */
function wholeQuery({ defaultShape }: ResourceModel): Query {
  return {
    conditions: [],
    shape: defaultShape,
    fields: [],
    parts: [],
    limit: DEFAULT_LIMIT,
    offset: 0,
    after: undefined,
    order: [],
    grouping: undefined,
    byQuery: false,
  }
}

function readParameter(reading: QueryDraft, name: string, value: string): void {
  const path = pathOf(name)
  if (path[0] !== undefined && PAGING.has(path[0])) reading.paging.push(path[0])
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
    case 'after':
      reading.after = parseAfter(value.trim())
      break
    case 'order_by':
      for (const written of value.split(',')) readOrder(reading, written.trim())
      break
    case 'group_by':
      for (const written of namesIn([value])) readGroup(reading, written)
      break
    case 'mode':
      if (value !== 'query') putDetail(reading.problems, ['mode'], 'Must be one of: query')
      reading.byQuery = true
      break
    default:
      readFilter(reading, path.length > 0 ? path : [name], value)
  }
}

/**
 * Path of a parameter's name. In `sum(a)[0]=…&sum(a)[1]=…` the index is dropped, so that one function can
 * have two filters.
 */
function pathOf(name: string): string[] {
  return isFunctionCall(name) ? [name.trim().replace(/\)\[\d*\]$/, ')')] : (parseName(name) ?? [])
}

function readFilter(reading: QueryDraft, path: readonly string[], value: string): void {
  const [name = ''] = path
  const filtered = understood(reading, path, computed(reading, name, path))
  const tests = filtered && understood(reading, path, parseTests(computedField(filtered), value))
  if (!filtered || !tests) return
  if (filtered.kind === 'aggregate') reading.having.push({ aggregate: filtered, tests })
  else reading.conditions.push({ target: filtered.target, tests })
}

/** Reads an item of `order_by`: `attr`, `-attr`, `asc(attr)` or `desc(attr)`. */
function readOrder(reading: QueryDraft, written: string): void {
  const match = /^(?:(asc|desc)\((.+)\)|(-?)(.+))$/.exec(written)
  const name = (match?.[2] ?? match?.[4] ?? '').trim()
  const direction = match?.[1] === 'desc' || match?.[3] === '-' ? 'desc' : 'asc'
  const value = understood(reading, ['order_by', written], computed(reading, name, parseName(name) ?? []))
  if (!value) return
  const problem = value.kind === 'aggregate' ? undefined : orderProblem(value.target)
  if (problem === undefined) reading.order.push({ value, direction })
  else putDetail(reading.problems, ['order_by', written], `Cannot be ordered by: ${problem}`)
}

function orderProblem(target: QueryTarget): string | undefined {
  if (isManifold(target)) return 'it leads into a list'
  return fieldOf(target.end).kind === 'secret' ? 'it is a masked number' : undefined
}

function readGroup({ resource, isList, by, problems }: QueryDraft, name: string): void {
  const group = isList ? parseGroup(resource, name) : new Problem('Only for lists')
  if (group instanceof Problem) putDetail(problems, placeIn('group_by', name), group.message)
  else if (!by.some((known) => known.name === name)) by.push(group)
}

/** Attribute or function that a name means; a `Problem` if it is unknown. */
function computed(
  { resource, isList }: QueryDraft,
  name: string,
  path: readonly string[],
): Computed | Problem {
  if (isFunctionCall(name)) return isList ? parseCall(resource, name) : new Problem('Only for lists')
  const target = path.every(isStorable) ? resolveTarget(resource, path) : undefined
  return target ? { kind: 'term', name, target } : new Problem('Unknown attribute')
}

/** Result of parsing a name; undefined for a `Problem`, which is put at its place in the details. */
function understood<T>({ problems }: QueryDraft, place: readonly string[], read: T | Problem): T | undefined {
  if (!(read instanceof Problem)) return read
  putDetail(problems, place, read.message)
  return undefined
}

/** Shape and order of the shown rows or groups. */
function readFields(reading: QueryDraft): Pick<Query, 'shape' | 'parts' | 'order' | 'grouping'> {
  const { resource, problems } = reading
  const names = [...new Set(namesIn(reading.fields))]
  const calls = names
    .filter(isFunctionCall)
    .flatMap((name) => understood(reading, ['fields', name], computed(reading, name, [])) ?? [])
  const requested = { ...reading, names, calls }
  if (isGrouped(requested))
    return {
      shape: resource.shapeOf(new Map()),
      parts: [],
      order: [],
      grouping: groupingOf(requested, problems),
    }
  const attributes = names.filter((name) => !isFunctionCall(name))
  const isNothing = attributes.length === 0 && names.length > 0
  const { shape, unknown } = resource.select(attributes)
  for (const name of unknown) putDetail(problems, placeIn('fields', name), 'Unknown attribute')
  return {
    shape: isNothing ? resource.shapeOf(new Map()) : shape,
    parts: calls.filter(isTerm),
    order: reading.order.filter(isOfRows),
    grouping: undefined,
  }
}

function isTerm(value: Computed): value is Term {
  return value.kind === 'term'
}

function isOfRows(order: Order<Computed>): order is Order {
  return isTerm(order.value)
}

function namesIn(written: readonly string[]): string[] {
  return written.flatMap((list) => list.split(',').map((name) => name.trim())).filter((name) => name !== '')
}

function parseAfter(cursor: string): string {
  if (/^[\w-]{1,64}(\.[\w-]{1,16000})?$/.test(cursor)) return cursor
  throw new ApiError('BadRequest', 'after must be that of the link to the next page', { after: NO_ID })
}

function parsePaging(name: string, value: string, least: number, most: number): number {
  const number = /^\d{1,16}$/.test(value.trim()) ? Number(value) : Number.NaN
  if (number >= least && number <= most) return number
  const range = most === LARGEST_LIMIT ? `from ${least} to ${most}` : `of at least ${least}`
  throw new ApiError('BadRequest', `${name} must be a whole number ${range}`, {
    [name]: 'Must be valid number',
  })
}
