import type { ResourceModel, RowShape } from '../../../model/resource-model.js'
import type { Row } from '../../../schema/columns.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import { type Input, isTree } from '../../../schema/types.js'
import { refuseList } from '../query/authorize.js'
import type { Query } from '../query/query.js'
import { showStored } from '../read/show-rows.js'
import { ApiError, invalidAttributes } from '../request/api-error.js'
import { parseBodyItems } from '../request/body-items.js'
import type { ApiRequest } from '../request/request.js'
import type { ParentRef } from '../request/route.js'
import type { Said } from './idempotency.js'
import { judgeEach, validated } from './input.js'
import { lockNamed } from './lock-order.js'
import {
  judgeMatch,
  listedBefore,
  lockedOne,
  lockItem,
  lockListed,
  lockMatches,
  refuseQueryOfList,
  refuseWithoutQuery,
} from './named-rows.js'
import type { UnitOfWork } from './unit-of-work.js'

/** Result of a write: rows to show, or an answer that was rendered before the rows were deleted. */
export type Written =
  | {
      readonly kind: 'rows'
      readonly resource: ResourceModel
      readonly rows: readonly Row[]
      readonly list: boolean
      readonly shape: RowShape
      readonly fields: readonly string[]
      /**
       * Whether the object may be answered as an error. False if it was already in that state before the
       * write.
       */
      readonly isOutcome: boolean
    }
  | {
      readonly kind: 'shown'
      /** Ids of the deleted objects. */
      readonly ids: readonly string[]
      readonly texts: readonly string[]
      readonly list: boolean
    }

/** Write that is ready to run in a unit of work. All checks that need no database are done. */
export type Operation = (work: UnitOfWork) => Promise<Written>

/** Validated write. */
export interface PreparedWrite {
  readonly says: Said
  readonly operation: Operation
}

/** Context of every write. */
export interface WriteRequest {
  readonly resource: ResourceModel
  readonly query: Query
  readonly request: ApiRequest
  /** Attribute whose value the path gives: the parent's id. */
  readonly parentAs?: string
  /** Attributes that the path implies unless they are sent. */
  readonly defaults?: JsonObject
  /** Step of the resource's rule before the unit of work. */
  readonly prepare?: ((input: Input) => Input | Promise<Input>) | undefined
}

/**
 * POST on a collection: one object or a list. `preset` holds attributes that the path gives, such as the
 * parent's id.
 */
export async function create(writing: WriteRequest, preset?: Input): Promise<PreparedWrite> {
  const { resource, request } = writing
  const body = parseBodyItems(request.body)
  const ready = async (says: Input) => {
    const input = await readied(writing, says)
    return preset ? { ...input, ...preset } : input
  }
  if (body.kind === 'one') {
    const says = read(writing, 'create', body.value)
    const input = await ready(says)
    return prepared(says, async (work) =>
      shown(writing, false, [await work.createBy(resource, input)], [input]),
    )
  }
  refuseList(request)
  const says = await judgeEach(body.values, async (value) => read(writing, 'create', value))
  const inputs = await judgeEach(says, ready)
  return prepared(says, async (work) => {
    await lockNamed(work, resource, inputs)
    const rows = await judgeEach(inputs, (input) => work.createBy(resource, input))
    return shown(writing, true, rows, inputs)
  })
}

/** PUT on an item. The object must also match the query's filters. */
export async function updateItem(
  writing: WriteRequest,
  id: string,
  parent?: ParentRef,
): Promise<PreparedWrite> {
  const body = parseBodyItems(writing.request.body)
  if (body.kind === 'list') throw new ApiError('BadRequest', 'A list cannot be put on one object')
  const says = read(writing, 'update', body.value)
  const input = await readied(writing, says)
  return prepared(says, async (work) => {
    const row = await lockItem(work, writing, id, parent)
    if (input.id !== undefined && input.id !== id) throw invalidAttributes({ id: 'Read only' })
    const wasRefused = work.ruleOf(writing.resource)?.answeredAs?.(row) !== undefined
    const written = shown(writing, false, [await work.update(writing.resource, row, input)], [input])
    return wasRefused ? { ...written, isOutcome: false } : written
  })
}

/** PUT on a collection: a list of objects with their ids, or with `mode=query` one change for all matches. */
export async function updateMany(writing: WriteRequest): Promise<PreparedWrite> {
  const { resource, query, request } = writing
  const body = parseBodyItems(request.body)
  if (body.kind === 'list') {
    refuseQueryOfList(query)
    const says = await judgeEach(body.values, async (value) => read(writing, 'update', value))
    const inputs = await judgeEach(says, async (each) => readied(writing, each))
    return prepared(says, async (work) => {
      await lockListed(work, resource, inputs, 'change')
      const before = await listedBefore(work, resource, inputs)
      return shown(
        writing,
        true,
        await judgeEach(inputs, async (input) => {
          const row = before.get(input.id) ?? (await lockedOne(work, resource, input.id))
          return await work.update(resource, row, input)
        }),
        inputs,
      )
    })
  }
  refuseWithoutQuery(query)
  const says = read(writing, 'update', body.value)
  const input = await readied(writing, says)
  return prepared(says, async (work) =>
    shown(
      writing,
      true,
      await judgeEach(await lockMatches(work, writing, 'change'), (row) =>
        judgeMatch(row, () => work.update(resource, row, input)),
      ),
      [input],
    ),
  )
}

/**
 * DELETE on an item. Answers the object as it was, or its new state if it stays listed, such as a revoked
 * key.
 */
export function removeItem(writing: WriteRequest, id: string, parent?: ParentRef): PreparedWrite {
  return prepared(null, async (work) =>
    removeRows(work, writing, false, [await lockItem(work, writing, id, parent, 'deletion')]),
  )
}

/** DELETE on a collection: a list of ids, or with `mode=query` all matches. */
export async function removeMany(writing: WriteRequest): Promise<PreparedWrite> {
  const { resource, query, request } = writing
  const body = parseBodyItems(request.body)
  if (body.kind === 'list') {
    refuseQueryOfList(query)
    const inputs = await judgeEach(body.values, async (value) => read(writing, 'update', value))
    return prepared(inputs, async (work) => {
      await lockListed(work, resource, inputs, 'deletion')
      const named = new Set<unknown>()
      const rows = await judgeEach(inputs, async ({ id }) => {
        if (named.has(id)) throw invalidAttributes({ id: 'Not found' })
        named.add(id)
        return await lockedOne(work, resource, id)
      })
      return await removeRows(work, writing, true, rows)
    })
  }
  refuseWithoutQuery(query)
  return prepared(null, async (work) =>
    removeRows(work, writing, true, await lockMatches(work, writing, 'deletion')),
  )
}

function prepared(says: Said, operation: Operation): PreparedWrite {
  return { says, operation }
}

async function removeRows(
  work: UnitOfWork,
  writing: WriteRequest,
  list: boolean,
  rows: readonly Row[],
): Promise<Written> {
  const { resource, query } = writing
  const { principal, statements, tx, now, addresses } = work
  const context = { principal, statements, tx, now, addresses }
  const before = await showStored(context, query.shape, rows)
  if (list) await judgeEach(rows, (row) => judgeMatch(row, () => work.remove(resource, row)))
  else for (const row of rows) await work.remove(resource, row)
  const left = rows.map(({ id }) => leftRow(work, resource, String(id))).filter((row) => row !== undefined)
  const after = await showStored(context, query.shape, left)
  const texts = before.map((text, index) => after[left.findIndex(({ id }) => id === rows[index]?.id)] ?? text)
  return { kind: 'shown', ids: rows.map(({ id }) => String(id)), texts, list }
}

/** Row of an object that stays listed after its deletion, such as a revoked key; undefined for all others. */
function leftRow(work: UnitOfWork, resource: ResourceModel, id: string): Row | undefined {
  const row = work.cachedRow(resource.table, id)
  return row?.deleted_at === null ? row : undefined
}

function read(writing: WriteRequest, mode: 'create' | 'update', value: Json): Input {
  const { resource, request, parentAs, defaults } = writing
  const whole = defaults && isTree(value) ? { ...defaults, ...value } : value
  const { manage, processingIds } = request.principal
  const presumes = processingIds?.length === 1
  return validated(resource, { mode, manage, parentAs, presumes }, whole)
}

/** Validated input, after the rule's `prepare`. Without `prepare` no promise is made. */
function readied({ prepare }: WriteRequest, input: Input): Input | Promise<Input> {
  return prepare ? prepare(input) : input
}

/** Result of a write that shows rows. Without `fields` it also shows the nested lists that were sent. */
function shown(
  { resource, query }: WriteRequest,
  list: boolean,
  rows: readonly Row[],
  inputs: readonly Input[],
): Written {
  const lists = query.fields.length > 0 ? [] : sentLists(resource, inputs)
  const fields = lists.length > 0 ? ['*', ...lists] : query.fields
  return {
    kind: 'rows',
    resource,
    rows,
    list,
    shape: lists.length > 0 ? resource.select(fields).shape : query.shape,
    fields,
    isOutcome: !list,
  }
}

/** Names of nested lists in the inputs that are not shown by default. */
function sentLists(resource: ResourceModel, inputs: readonly Input[]): string[] {
  const sent = new Set<string>()
  for (const input of inputs)
    for (const name of resource.hiddenLists) if (Array.isArray(input[name])) sent.add(name)
  return [...sent]
}
