import { prepared } from '../../src/engine/store/database/prepared.js'

const AT = '2025-01-01 00:00:00'

/**
 * Inserts a batch. Tests of stores use batches and their rows because rows refer to a batch and can replace
 * each other.
 */
export const insertBatch = prepared<{ id: string }, unknown>((db, param) =>
  db.insertInto('batches').values({
    id: param('id'),
    kind: 'payment',
    content_hash: 'hash',
    rows: 2,
    created_at: AT,
  }),
)

interface BatchRow {
  readonly id: string
  readonly batch_id: string
  readonly error: string | null
}

export const insertBatchRow = prepared<BatchRow, unknown>((db, param) =>
  db.insertInto('batch_rows').values({
    id: param('id'),
    batch_id: param('batch_id'),
    row: 1,
    status: 'done',
    error: param('error'),
    created_at: AT,
  }),
)

/** Replaces every sealed value of the row, so that no value has to be read first. */
export const replaceBatchRow = prepared<BatchRow, unknown>((db, param) =>
  db
    .insertInto('batch_rows')
    .values({
      id: param('id'),
      batch_id: param('batch_id'),
      row: 1,
      status: 'done',
      content: null,
      error: param('error'),
      object_id: null,
      created_at: AT,
    })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({
        batch_id: eb.ref('excluded.batch_id'),
        row: eb.ref('excluded.row'),
        status: eb.ref('excluded.status'),
        content: eb.ref('excluded.content'),
        error: eb.ref('excluded.error'),
        object_id: eb.ref('excluded.object_id'),
        created_at: eb.ref('excluded.created_at'),
      })),
    ),
)
