import type { Work } from '../core/work.js'
import { prepared } from '../store/prepared.js'

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
