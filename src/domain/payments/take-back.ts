import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import { dateOf } from '../../schema/datetime.js'
import { storedTransaction } from '../ledger/stored.js'
import { insertDecided } from './carry-out.js'
import { ownTransaction, partiesOf } from './own-transaction.js'
import { decideReversal, owedOf } from './reversal.js'

/**
 * Takes back what of a payment was deposited and is not due any more, after a refund or a chargeback: the reversal is
 * made in the same unit of work. The payment's row must be locked. Money: "Ledger, deposits, journal".
 */
export async function takeBack(work: Work, paymentId: string): Promise<void> {
  const row = await work.find('transaction', paymentId)
  if (!row) throw new Error(`The payment ${paymentId} is gone`)
  const payment = storedTransaction(row)
  const [sum] = await work.tx.run(sumOfEntries, { id: paymentId })
  const owed = owedOf(payment, sum?.entered ?? 0)
  if (owed >= 0) return
  const reversal = ownTransaction(work, { ...partiesOf(row), type: 'reversal', amount: -owed })
  const decision = decideReversal(payment, { id: reversal.id, amount: -owed }, dateOf(work.now))
  await insertDecided(work, reversal, decision)
}

const sumOfEntries = prepared<{ id: string }, { entered: number | null }>((db, param) =>
  db
    .selectFrom('transaction_ledgers')
    .select((eb) => eb.fn.sum<number | null>('amount').as('entered'))
    .where('transaction_id', '=', param('id')),
)
