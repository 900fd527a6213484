import { invalidAttributes } from '../../engine/core/request/errors.js'
import type { AdminRules } from '../../engine/core/write/rule.js'
import type { Work } from '../../engine/core/write/work.js'
import { waitForName } from '../../engine/store/database/differences.js'
import type { BatchTable } from '../../engine/store/database/tables.js'
import { findBatch, readBatches, showBatch } from './batch-record.js'
import { listRows } from './list-rows.js'
import { noBatch, otherContent, otherKind } from './refusals.js'
import { contentKey } from './row-key.js'
import { kindNamed } from './row-request.js'
import { runRows } from './run-rows.js'

type BatchRules = Pick<
  AdminRules,
  'list_batches' | 'begin_batch' | 'finish_batch' | 'list_batch_rows' | 'run_batch_rows'
>

export const batchRules: BatchRules = {
  list_batches: {
    perform: async ({ tx }, { id }) => ({ batches: await readBatches(tx, id ?? undefined) }),
  },

  begin_batch: {
    async perform(work, { id, as, content, rows, source, options, continue: goOn }) {
      kindNamed(as ?? '')
      const batch: BatchTable = {
        id: id ?? '',
        kind: as ?? '',
        content_hash: contentKey(content ?? '', work.vault),
        rows: rows ?? 0,
        source: source ?? null,
        options: options ? JSON.stringify(options) : null,
        created_at: work.realNow,
        finished_at: null,
      }
      return await showBatch(work.tx, await begin(work, batch, goOn === 1))
    },
  },

  finish_batch: {
    async perform({ tx, realNow }, { id }) {
      const batch = await findBatch(tx, id ?? '')
      if (!batch) throw noBatch()
      const shown = await showBatch(tx, batch)
      if (shown.waiting > 0) throw invalidAttributes({ id: `${shown.waiting} rows have no outcome yet` })
      const finished = { finished_at: batch.finished_at ?? realNow }
      await tx.db.updateTable('batches').set(finished).where('id', '=', batch.id).execute()
      return await showBatch(tx, { ...batch, ...finished })
    },
  },

  list_batch_rows: listRows,
  run_batch_rows: runRows,
}

/** The batch as it is now: new, or gone on with. Throws `Conflict` where the name is another batch's. */
async function begin({ tx }: Work, batch: BatchTable, goOn: boolean): Promise<BatchTable> {
  await waitForName(tx, `batch ${batch.id}`)
  const known = await findBatch(tx, batch.id)
  if (!known) {
    await tx.db.insertInto('batches').values(batch).execute()
    return batch
  }
  if (known.kind !== batch.kind) throw otherKind(known.id, known.kind)
  const isSame = known.content_hash === batch.content_hash
  if (known.finished_at !== null && !isSame && !goOn) throw otherContent(known.id)
  const { content_hash, rows, source, options } = batch
  const finished_at = isSame ? known.finished_at : null
  const changes = { content_hash, rows, source, options, finished_at }
  await tx.db.updateTable('batches').set(changes).where('id', '=', known.id).execute()
  return { ...known, ...changes }
}
