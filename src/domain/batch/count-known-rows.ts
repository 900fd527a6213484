import type { AdminRules } from '../../engine/core/write/rule.js'
import { isTree } from '../../schema/types.js'
import { findBatch, noBatch, otherKind } from './batch-record.js'
import { findRows, rowId } from './row-record.js'
import { jsonOf } from './row-request.js'

/** Counts the rows of a file that a batch knows by their content, per outcome. */
export const countKnownRows: AdminRules['count_known_rows'] = {
  async perform({ tx, vault }, { id, as, rows }) {
    const batch = await findBatch(tx, id ?? '')
    if (!batch) throw noBatch()
    if (batch.kind !== as) throw otherKind(batch.id, batch.kind)
    const counts = { done: 0, declined: 0, failed: 0, waiting: 0, unknown: 0 }
    const ids = (Array.isArray(rows) ? rows.filter(isTree) : []).map(({ occurrence, body }) => {
      const content = { batchId: batch.id, kind: batch.kind, body: jsonOf(body), key: undefined }
      return rowId({ ...content, occurrence: Number(occurrence ?? 1) }, vault)
    })
    const known = await findRows(tx, ids)
    for (const id of ids) counts[known.get(id)?.status ?? 'unknown']++
    return counts
  },
}
