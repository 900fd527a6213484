import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import { dateOf } from '../../schema/datetime.js'
import type { Minor } from '../../schema/money.js'
import type { Decision } from '../ledger/decision.js'
import { contraEntries } from '../ledger/entries.js'
import { clawbackPostings } from '../ledger/postings.js'
import { storedTransaction, type Transaction } from '../ledger/stored-transaction.js'
import { insertDecided } from './persist-decision.js'
import { partiesOf, systemTransaction } from './system-transaction.js'

/**
 * Claws back what of a payment was deposited and is not due any more, after a refund or a chargeback: the reversal is
 * made in the same unit of work. The payment's row must be locked. Money: "Ledger, deposits, journal".
 */
export async function clawBack(work: Work, paymentId: string): Promise<void> {
  const row = await work.find('transaction', paymentId)
  if (!row) throw new Error(`The payment ${paymentId} is gone`)
  const payment = storedTransaction(row)
  const [sum] = await work.tx.run(sumOfEntries, { id: paymentId })
  const owed = owedOf(payment, sum?.entered ?? 0)
  if (owed >= 0) return
  const reversal = systemTransaction(work, { ...partiesOf(row), type: 'reversal', amount: -owed })
  const decision = decideReversal(payment, { id: reversal.id, amount: -owed }, dateOf(work.now))
  await insertDecided(work, reversal, decision)
}

const sumOfEntries = prepared<{ id: string }, { entered: number | null }>((db, param) =>
  db
    .selectFrom('transaction_ledgers')
    .select((eb) => eb.fn.sum<number | null>('amount').as('entered'))
    .where('transaction_id', '=', param('id')),
)

/**
 * What is still due to the processing account for a payment, by the sum of its ledger entries; below zero: more was
 * deposited than it is worth now. Money: "Ledger, deposits, journal".
 */
function owedOf({ amount }: Pick<Transaction, 'amount'>, entered: Minor): Minor {
  return amount + entered
}

/** Takes back what of a payment was deposited too much, so that nothing is owed on either side. */
function decideReversal(
  payment: Pick<Transaction, 'id' | 'type'>,
  reversal: Pick<Transaction, 'id' | 'amount'>,
  today: string,
): Decision {
  return {
    changes: { status: 'processed', status_code: 'taken_back', processed_date: today },
    entries: contraEntries(payment, { id: reversal.id, type: 'reversal' }, reversal.amount),
    postings: clawbackPostings(reversal.amount),
    events: ['reversal'],
  }
}
