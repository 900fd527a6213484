import { invalidAttributes } from '../../engine/core/request/errors.js'
import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import { storedTransaction } from '../ledger/stored-transaction.js'
import { changeDecided, insertDecided } from '../payments/persist-decision.js'
import { partiesOf, systemTransaction } from '../payments/system-transaction.js'
import { businessDayFor } from '../payments/today.js'
import { decideWin, winRefusal } from './dispute-won.js'

/**
 * Records that a dispute was won: its chargeback is reversed, and the payment pays it with the next deposit. Answers
 * the chargeback_reversal, the one that there is when it is told again. Throws `InvalidAttributes` when there is no such
 * dispute, or it is a bank return.
 */
export async function recordWin(work: Work, paymentId: string, dispute: string): Promise<TransactionRow> {
  const row = await work.lock('transaction', paymentId)
  if (!row) throw invalidAttributes({ transaction_id: 'Not found' })
  const sides = await work.findBy('transaction', 'dispute', dispute)
  const chargeback = sides.find(({ type }) => type === 'chargeback')
  if (!chargeback) throw invalidAttributes({ dispute: 'Not found' })
  const recordedBefore = sides.find(({ type }) => type === 'chargeback_reversal')
  if (recordedBefore) return recordedBefore
  const refusal = winRefusal(chargeback.status_code)
  if (refusal) throw refusal

  const today = await businessDayFor(work, row)
  const amount = chargeback.amount ?? 0
  const won = systemTransaction(work, { ...partiesOf(row), type: 'chargeback_reversal', amount, dispute })
  const wasDeposited = (await work.tx.run(depositOf, { id: paymentId })).length > 0
  const decided = decideWin(storedTransaction(row), { id: won.id, amount, wasDeposited }, today.date)
  const recorded = await insertDecided(work, won, decided.own)
  const next = isOnItsWay(row) ? {} : ({ awaiting: 'funding', due_at: today.cutOffAt } as const)
  await changeDecided(work, row, {
    ...decided.payment,
    changes: { ...decided.payment.changes, ...next },
  })
  return recorded
}

/** A payment that waits for its cut-off, or for a deposit, does so still. */
function isOnItsWay({ awaiting }: TransactionRow): boolean {
  return awaiting === 'cut_off' || awaiting === 'funding'
}

/** An entry by which a funding run took the payment in: of a deposit, or of a day that came out below zero. */
const depositOf = prepared<{ id: string }, { id: string }>((db, param) =>
  db
    .selectFrom('transaction_ledgers')
    .select('id')
    .where('transaction_id', '=', param('id'))
    .where((eb) =>
      eb.or([
        eb('entry_type', '=', 'deposit'),
        eb.and([eb('entry_type', '=', 'reversal'), eb('amount', '<', 0)]),
      ]),
    )
    .limit(1),
)
