import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'

/** Whether the same method has paid the same amount to the same account since then; declines do not count. */
export async function findDuplicate(work: Work, row: TransactionRow, since: string): Promise<boolean> {
  const { method_fingerprint: fingerprint, processing_id: processingId, amount } = row
  const [found] = await work.tx.run(samePayment, { fingerprint, processingId, amount, since })
  return found !== undefined
}

interface Same {
  fingerprint: string | null
  processingId: string | null
  /** Minor units. */
  amount: number | null
  since: string
}

const samePayment = prepared<Same, { id: string }>((db, param) =>
  db
    .selectFrom('transactions')
    .select('id')
    .where('method_fingerprint', '=', param('fingerprint'))
    .where('created_at', '>=', param('since'))
    .where('processing_id', '=', param('processingId'))
    .where('amount', '=', param('amount'))
    .where('type', '=', 'payment')
    .where('status', 'not in', ['declined', 'voided'])
    .limit(1),
)
