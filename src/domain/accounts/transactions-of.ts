import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'

/** Whether money went to a processing account, or was meant to. */
export async function hasTransactions(work: Work, processingId: string): Promise<boolean> {
  const found = await work.tx.run(oneTransaction, { processingId })
  return found.length > 0
}

const oneTransaction = prepared<{ processingId: string }, { id: string }>((db, param) =>
  db
    .selectFrom('transactions')
    .select('id')
    .where('processing_id', '=', param('processingId'))
    .where('deleted_at', 'is', null)
    .limit(1),
)
