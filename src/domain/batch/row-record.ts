import type { Work } from '../../engine/core/write/work.js'
import { isAmong } from '../../engine/store/database/differences.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { Tx } from '../../engine/store/database/store.js'
import type { BatchRowTable } from '../../engine/store/database/tables.js'
import type { Vault } from '../../engine/store/vault/vault.js'
import type { Json } from '../../schema/json.js'
import { orderedJson } from '../../schema/ordered-json.js'

/** The outcome of a row. */
export type Outcome = Pick<BatchRowTable, 'status' | 'object_id' | 'error'>

/** Identity of a row, under which its outcome is recorded. */
export interface RowPlace {
  /** Keyed hash of the row's key or content. */
  readonly id: string
  readonly batchId: string
  readonly row: number
  /** Version of the row in a batch with a key; null if the row could not be read. */
  readonly content: string | null
}

const recordStatement = prepared<BatchRowTable, unknown>((db, param) =>
  db.insertInto('batch_rows').values({
    id: param('id'),
    batch_id: param('batch_id'),
    row: param('row'),
    status: param('status'),
    object_id: param('object_id'),
    error: param('error'),
    content: param('content'),
    created_at: param('created_at'),
  }),
)

const decideStatement = prepared<Outcome & { id: string }, unknown>((db, param) =>
  db
    .updateTable('batch_rows')
    .set({ status: param('status'), object_id: param('object_id'), error: param('error') })
    .where('id', '=', param('id')),
)

const forgetStatement = prepared<{ id: string }, unknown>((db, param) =>
  db.deleteFrom('batch_rows').where('id', '=', param('id')),
)

const rowById = prepared<{ id: string }, BatchRowTable>((db, param) =>
  db.selectFrom('batch_rows').selectAll().where('id', '=', param('id')),
)

/**
 * Records the first outcome of a row in the unit of work of its request. A plain insert, so that the rows of units of
 * work that share a commit are written together.
 */
export async function recordRow({ tx, realNow }: Work, place: RowPlace, outcome: Outcome): Promise<void> {
  const { id, batchId, row, content } = place
  const { status, object_id, error } = outcome
  const recorded = { id, batch_id: batchId, row, status, object_id, error, content, created_at: realNow }
  await tx.change(recordStatement, recorded)
}

/** Replaces the outcome of a waiting row. */
export async function decideRow(tx: Tx, id: string, outcome: Outcome): Promise<void> {
  const { status, object_id, error } = outcome
  await tx.change(decideStatement, { id, status, object_id, error })
}

/** Deletes the record of a row whose outcome is still unknown, so that the row runs again. */
export async function forgetRow(tx: Tx, id: string): Promise<void> {
  await tx.change(forgetStatement, { id })
}

export async function findRow(tx: Tx, id: string): Promise<BatchRowTable | undefined> {
  const [found] = await tx.run(rowById, { id })
  return found
}

/** Recorded rows with the given ids, found by one query. */
export async function findRows(
  { db, dialect }: Tx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, BatchRowTable>> {
  const found = await db
    .selectFrom('batch_rows')
    .selectAll()
    .where((eb) => isAmong(dialect, eb.ref('id'), JSON.stringify(ids)))
    .execute()
  return new Map(found.map((row) => [row.id, row]))
}

/** Identity of a row: its content or its key, but not its place in the file, which may change. */
export interface RowContent {
  readonly batchId: string
  readonly kind: string
  readonly body: Json
  /** Number of this row among the rows with the same content, from 1. */
  readonly occurrence: number
  /** Key of the row in a batch with a key. */
  readonly key: string | undefined
}

/**
 * Id of a row: by its key if it has one, else by its content, regardless of the order of attributes. A keyed hash,
 * because the content may hold a card number.
 */
export function rowId({ batchId, kind, body, occurrence, key }: RowContent, vault: Vault): string {
  if (key !== undefined) return vault.hash(JSON.stringify([batchId, kind, key]), 'batch_row_key')
  return vault.hash(JSON.stringify([batchId, kind, orderedJson(body), occurrence]), 'batch_row')
}

/** The stored form of a file's digest, likewise a keyed hash. */
export function contentKey(digest: string, vault: Vault): string {
  return vault.hash(digest, 'batch_content')
}
