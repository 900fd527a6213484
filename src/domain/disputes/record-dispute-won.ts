import { type ApiError, invalidAttributes } from '../../engine/core/request/api-error.js'
import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import type { Minor } from '../../schema/money.js'
import { isReturn } from '../../schema/status-codes.js'
import { contraEntries } from '../ledger/ledger-entry.js'
import { type Payouts, payoutsOf } from '../ledger/payouts.js'
import { disputeWonPostings, lossPostings, reversed } from '../ledger/postings.js'
import { busy, storedTransaction, type Transaction } from '../ledger/stored-transaction.js'
import { changeDecided, insertDecided } from '../payments/outcome/persist-decision.js'
import { partiesOf, systemTransaction } from '../payments/parties/new-transaction.js'
import { businessDayFor } from '../payments/pending/today.js'
import { noteDispute } from './note-dispute.js'
import { type DisputeDecision, refuseOfAnother } from './record-chargeback.js'

/**
 * Records that a dispute was won: its chargeback is reversed, and the money is paid out with the payment in the next
 * deposit. Returns the `chargeback_reversal`, even if it was recorded before. Throws `InvalidAttributes` for an
 * unknown dispute or a bank return, `Conflict` while an operation on the payment is pending.
 */
export async function recordDisputeWon(
  work: Work,
  paymentId: string,
  dispute: string,
): Promise<TransactionRow> {
  const row = await work.lock(resources.transaction, paymentId)
  if (!row) throw invalidAttributes({ transaction_id: 'Not found' })
  const named = await work.findBy(resources.transaction, 'dispute', dispute)
  const sides = named.filter(({ gateway }) => gateway === row.gateway)
  const chargeback = sides.find(({ type }) => type === 'chargeback')
  if (!chargeback) throw invalidAttributes({ dispute: 'Not found' })
  await refuseOfAnother(work, chargeback, paymentId)
  const recordedBefore = sides.find(({ type }) => type === 'chargeback_reversal')
  if (recordedBefore) return recordedBefore
  const refusal = winRefusal(chargeback.status_code)
  if (refusal) throw refusal
  // A pending refund has reserved an amount. A win recorded now would withdraw that amount from invoices before the
  // refund has an outcome.
  if (row.pending_operation !== null) throw busy(row)
  const excess = chargeback.excess ?? 0
  const amount = (chargeback.amount ?? 0) - excess
  const wasDeposited = (await work.tx.run(depositEntryOf, { id: paymentId })).length > 0
  const today = await businessDayFor(work, row)
  const reversal = systemTransaction(work, {
    ...partiesOf(row),
    type: 'chargeback_reversal',
    gateway: row.gateway,
    amount: amount + excess,
    dispute,
    ...(excess > 0 && { excess, disputed_id: paymentId }),
  })

  const payouts = await payoutsOf(work, row)
  const win = { id: reversal.id, amount, excess, convFee: chargeback.conv_fee ?? 0, wasDeposited, payouts }
  const decided = decideWin(storedTransaction(row), win, today.date)

  const recorded = await insertDecided(work, reversal, decided.own)
  await noteDispute(work, row, dispute, { stage: 'won', reversal_id: recorded.id, read_at: null })
  // A payment that waits for its cut-off or for a deposit continues to wait.
  const waits = row.awaiting === 'cut_off' || row.awaiting === 'funding' || payouts !== 'simulated'
  if (amount === 0) return recorded
  const waiting = waits ? {} : ({ awaiting: 'funding', due_at: today.cutOffAt } as const)
  await changeDecided(work, row, {
    ...decided.payment,
    changes: { ...decided.payment.changes, ...waiting },
  })
  return recorded
}

/** Reason why a chargeback cannot be won; undefined if it can. */
export function winRefusal(statusCode: string | null): ApiError | undefined {
  return isReturn(statusCode)
    ? invalidAttributes({ transaction_id: `A bank return (${statusCode}) is final` })
    : undefined
}

/** A dispute whose chargeback is reversed. Amounts in minor units. */
export interface DisputeWin {
  /** Id of the `chargeback_reversal`. */
  readonly id: string
  readonly amount: Minor
  /** The amount that the chargeback took beyond the payment. */
  readonly excess?: Minor
  /**
   * The convenience fee that the chargeback lost. Used only if `amount` is 0; otherwise it follows from the payment.
   */
  readonly convFee?: Minor
  /** Whether a deposit has included the payment. */
  readonly wasDeposited: boolean
  /** Payouts of the processing account; by default funding runs pay it. */
  readonly payouts?: Payouts
}

/**
 * Decides the changes of a won dispute. A rejected payment is processed again, and its money goes to the merchant
 * with the next deposit. `payment` is the state before.
 */
export function decideWin(
  payment: Transaction,
  { id, amount, excess = 0, convFee: lost, wasDeposited, payouts }: DisputeWin,
  today: string,
): DisputeDecision {
  const wasRejected = amount > 0 && payment.status === 'rejected'
  const own = wasRejected ? payment.convFee : 0
  const convFee = amount > 0 ? own : (lost ?? 0)
  // Money that a bank has taken back was settled. So this payment can be refunded from now on, but no longer voided.
  const isSettled = wasRejected || payment.fundingStatus === 'pending'
  return {
    own: {
      changes: {
        status: 'processed',
        status_code: 'dispute_won',
        processed_date: today,
        conv_fee: convFee,
      },
      entries: amount > 0 ? contraEntries(payment, { id, type: 'chargeback_reversal' }, amount) : [],
      postings: [...disputeWonPostings(amount, convFee, payouts), ...reversed(lossPostings(excess, payouts))],
      events: [],
    },
    payment: {
      changes: {
        charged_back: payment.chargedBack - amount,
        ...(wasRejected && { status: 'processed', status_code: 'approved' }),
        ...(isSettled && { funding_status: wasDeposited ? 'batched' : 'captured' }),
      },
      entries: [],
      postings: [],
      events: wasRejected ? ['processed'] : [],
    },
  }
}

/** An entry of the deposit that included the payment, or of the reversal of a day with a negative sum. */
const depositEntryOf = prepared<{ id: string }, { id: string }>((db, param) =>
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
