import type { AdminRules } from '../../engine/core/write/rule.js'
import { isTree } from '../../schema/types.js'
import { findBatch, noBatch, otherKind } from './batch-record.js'
import { findRow, rowId } from './row-record.js'
import { jsonOf } from './row-request.js'

/** Counts the rows of a file that a batch knows by their content, per outcome. */
export const countKnownRows: AdminRules['count_known_rows'] = {
  async perform({ tx, vault }, { id, as, rows }) {
    const batch = await findBatch(tx, id ?? '')
    if (!batch) throw noBatch()
    if (batch.kind !== as) throw otherKind(batch.id, batch.kind)
    const counts = { done: 0, declined: 0, failed: 0, waiting: 0, unknown: 0 }
    for (const { occurrence, body } of Array.isArray(rows) ? rows.filter(isTree) : []) {
      const content = { batchId: batch.id, kind: batch.kind, body: jsonOf(body), key: undefined }
      const known = await findRow(tx, rowId({ ...content, occurrence: Number(occurrence ?? 1) }, vault))
      counts[known?.status ?? 'unknown']++
    }
    return counts
  },
}
