import { ApiError, invalidAttributes } from '../../engine/core/request/api-error.js'
import type { Tx } from '../../engine/store/database/store.js'
import type { BatchTable } from '../../engine/store/database/tables.js'

const NEWEST = 100

export async function findBatch({ db }: Tx, id: string): Promise<BatchTable | undefined> {
  return await db.selectFrom('batches').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The newest batches, or the one with an id, each with the number of rows per outcome. */
export async function readBatches(tx: Tx, id: string | undefined) {
  const all = tx.db.selectFrom('batches').selectAll()
  const chosen = id === undefined ? all : all.where('id', '=', id)
  const batches = await chosen.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(NEWEST).execute()
  const shown = []
  for (const batch of batches) shown.push(await showBatch(tx, batch))
  return shown
}

/** A batch as the API shows it. */
export async function showBatch({ db }: Tx, batch: BatchTable) {
  const { id, kind, rows, source, options, key, created_at, finished_at } = batch
  const counts = await db
    .selectFrom('batch_rows')
    .select(['status', (eb) => eb.fn.countAll<number>().as('count')])
    .where('batch_id', '=', id)
    .groupBy('status')
    .execute()
  const countOf = (status: string) => Number(counts.find((one) => one.status === status)?.count ?? 0)
  const status = finished_at === null ? ('running' as const) : ('finished' as const)
  return {
    id,
    as: kind,
    status,
    rows,
    source,
    options,
    key,
    began_at: created_at,
    finished_at,
    done: countOf('done'),
    declined: countOf('declined'),
    failed: countOf('failed'),
    waiting: countOf('waiting'),
  }
}

/** The error for a batch that was not begun. */
export function noBatch(): ApiError {
  return invalidAttributes({ id: 'There is no such batch: begin it first' })
}

/** Error for a batch of another kind: its rows would be executed as another kind of object. */
export function otherKind(id: string, kind: string): ApiError {
  return new ApiError('Conflict', `The batch ${id} has rows of the kind ${kind}; give this one another name`)
}

/** Error for a batch that identifies its rows by another key: with this key, all of them would count as new rows. */
export function otherKey(id: string, key: string | null): ApiError {
  const by = key === null ? 'their whole content' : key
  return new ApiError('Conflict', `The batch ${id} identifies its rows by ${by}; go on with it alike`, {
    key: key ?? '',
  })
}

/**
 * Error for a changed file under the name of a finished batch. The file may be a new batch, or the same one with more
 * rows.
 */
export function otherContent(id: string): ApiError {
  return new ApiError(
    'Conflict',
    `The batch ${id} is finished, and its file had another content. ` +
      'Give this file a name of its own, or continue the batch: rows that it has done are not done again',
    { content: 'Another content' },
  )
}
