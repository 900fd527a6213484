import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { Minor } from '../../schema/money.js'

/** Whether the same method has paid the same amount to the same account since then; declines do not count. */
export async function findDuplicate(
  work: Work,
  { processingId, amount, since }: Omit<SamePayment, 'fingerprint'>,
  fingerprints: readonly string[],
): Promise<boolean> {
  for (const fingerprint of fingerprints) {
    const [found] = await work.tx.run(samePayment, { fingerprint, processingId, amount, since })
    if (found) return true
  }
  return false
}

interface SamePayment {
  fingerprint: string
  processingId: string
  amount: Minor
  since: string
}

const samePayment = prepared<SamePayment, { id: string }>((db, param) =>
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
