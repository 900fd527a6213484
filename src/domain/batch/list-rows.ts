import { invalidAttributes } from '../../engine/core/request/errors.js'
import type { AdminRules } from '../../engine/core/write/rule.js'
import { findBatch } from './batch-record.js'
import { noBatch } from './refusals.js'

const MAX_ROWS = 1_000

/** The outcomes of a batch in the order of its rows, a page at a time; it goes on behind the last row shown. */
export const listRows: AdminRules['list_batch_rows'] = {
  async perform({ tx }, { id, after, limit }) {
    if (!(await findBatch(tx, id ?? ''))) throw noBatch()
    const most = limit ?? MAX_ROWS
    const place = after ? readPlace(after) : { row: 0, id: '' }
    const found = await tx.db
      .selectFrom('batch_rows')
      .select(['id', 'row', 'status', 'object_id', 'error'])
      .where('batch_id', '=', id ?? '')
      .where((eb) => eb(eb.refTuple('row', 'id'), '>', eb.tuple(place.row, place.id)))
      .orderBy('row')
      .orderBy('id')
      .limit(most + 1)
      .execute()
    const shown = found.slice(0, most)
    const last = found.length > most ? shown.at(-1) : undefined
    return {
      rows: shown.map(({ row, status, object_id, error }) => ({ row, status, id: object_id, error })),
      after: last ? `${last.row}.${last.id}` : null,
    }
  },
}

function readPlace(text: string): { row: number; id: string } {
  const [, row, id = ''] = /^(\d{1,15})\.([\w-]+)$/.exec(text) ?? []
  if (row === undefined) throw invalidAttributes({ after: 'Must be what an answer before has told' })
  return { row: Number(row), id }
}
