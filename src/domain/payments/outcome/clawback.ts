import type { Work } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type { TransactionRow } from '../../../engine/store/database/tables.js'
import { resources } from '../../../resources/resource-table.js'
import type { Minor } from '../../../schema/money.js'
import type { Decision } from '../../ledger/decision.js'
import { contraEntries, owedOf } from '../../ledger/ledger-entry.js'
import { payoutsOf } from '../../ledger/payouts.js'
import { clawbackPostings } from '../../ledger/postings.js'
import { storedTransaction, type Transaction } from '../../ledger/stored-transaction.js'
import { partiesOf, systemTransaction } from '../parties/new-transaction.js'
import { businessDayFor } from '../pending/today.js'
import { insertDecided } from './persist-decision.js'

/**
 * Takes back from the merchant the deposited amount that is no longer due after a chargeback. The reversal is written
 * in the same unit of work. The payment's row must be locked. See docs/money.md, "Cut-off and deposits".
 */
export async function clawBack(work: Work, paymentId: string): Promise<void> {
  const row = await work.find(resources.transaction, paymentId)
  if (!row) throw new Error(`The payment ${paymentId} is gone`)
  const owed = owedOf(storedTransaction(row), await enteredOf(work, paymentId))
  if (owed < 0) await writeClawback(work, row, -owed)
}

/** The sum of a payment's ledger entries, in minor units. */
export async function enteredOf(work: Work, paymentId: string): Promise<Minor> {
  const [sum] = await work.tx.run(sumOfEntries, { id: paymentId })
  return sum?.entered ?? 0
}

/**
 * Writes the reversal that takes an amount (minor units) of a payment from the merchant's bank account. Does so only
 * for simulated payouts; a gateway reports its own reversals.
 */
export async function writeClawback(work: Work, payment: TransactionRow, amount: Minor): Promise<void> {
  if ((await payoutsOf(work, payment)) !== 'simulated') return
  const reversal = systemTransaction(work, { ...partiesOf(payment), type: 'reversal', amount })
  const { date } = await businessDayFor(work, payment)
  const decision = decideReversal(storedTransaction(payment), { id: reversal.id, amount }, date)
  await insertDecided(work, reversal, decision)
}

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

const sumOfEntries = prepared<{ id: string }, { entered: number | null }>((db, param) =>
  db
    .selectFrom('transaction_ledgers')
    .select((eb) => eb.fn.sum<number | null>('amount').as('entered'))
    .where('transaction_id', '=', param('id')),
)
