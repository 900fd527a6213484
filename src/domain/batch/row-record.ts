import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { Tx } from '../../engine/store/database/store.js'
import type { BatchRowTable } from '../../engine/store/database/tables.js'

/** What became of a row, without when. */
export type Outcome = Pick<BatchRowTable, 'status' | 'object_id' | 'error'>

/** Where a row's outcome is noted. */
export interface RowPlace {
  /** The name of the row that it has for good. */
  readonly id: string
  readonly batchId: string
  readonly row: number
}

/** One that waited is replaced by what came of it. */
const recordStatement = prepared<BatchRowTable, unknown>((db, param) =>
  db
    .insertInto('batch_rows')
    .values({
      id: param('id'),
      batch_id: param('batch_id'),
      row: param('row'),
      status: param('status'),
      object_id: param('object_id'),
      error: param('error'),
      created_at: param('created_at'),
    })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({
        status: eb.ref('excluded.status'),
        object_id: eb.ref('excluded.object_id'),
        error: eb.ref('excluded.error'),
      })),
    ),
)

const rowById = prepared<{ id: string }, BatchRowTable>((db, param) =>
  db.selectFrom('batch_rows').selectAll().where('id', '=', param('id')),
)

/** Notes an outcome in the unit of work that brought it about. */
export async function recordRow({ tx, realNow }: Work, place: RowPlace, outcome: Outcome): Promise<void> {
  const { id, batchId, row } = place
  await tx.change(recordStatement, { id, batch_id: batchId, row, ...outcome, created_at: realNow })
}

export async function findRow(tx: Tx, id: string): Promise<BatchRowTable | undefined> {
  const [found] = await tx.run(rowById, { id })
  return found
}
