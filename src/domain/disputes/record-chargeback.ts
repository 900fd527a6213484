import { sql } from 'kysely'
import { type ApiError, invalidAttributes } from '../../engine/core/request/api-error.js'
import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import { formatMoney, type Minor } from '../../schema/money.js'
import { isReturn } from '../../schema/status-codes.js'
import { barMethod } from '../accounts/barred-method.js'
import { processingSettingsOf } from '../accounts/processing-settings-rule.js'
import { followReturn } from '../billing/collecting/begin-anew.js'
import { type NewException, raiseException } from '../exceptions/raise-exception.js'
import type { Decision } from '../ledger/decision.js'
import { contraEntries } from '../ledger/ledger-entry.js'
import { type Payouts, payoutsOf } from '../ledger/payouts.js'
import { chargebackPostings, lossPostings } from '../ledger/postings.js'
import { busy, refundable, storedTransaction, type Transaction } from '../ledger/stored-transaction.js'
import { clawBack } from '../payments/outcome/clawback.js'
import { changeDecided, insertDecided } from '../payments/outcome/persist-decision.js'
import { isFinalReturn } from '../payments/parties/judge-method.js'
import { partiesOf, systemTransaction } from '../payments/parties/new-transaction.js'
import { chargedAmount } from '../payments/pending/gateway-request.js'
import { businessDayFor } from '../payments/pending/today.js'
import { noteDispute, renameInquiry } from './note-dispute.js'

/** A chargeback or a bank return as the gateway reports it. */
export interface ReportedChargeback {
  readonly paymentId: string
  /** The gateway's id of the dispute or return; each id is recorded only once. */
  readonly dispute: string
  /**
   * Minor units. The default is the whole amount of the payment with its convenience fee, even if a part was
   * refunded.
   */
  readonly amount?: Minor | undefined
  /** `chargeback`, or the code of a bank return. */
  readonly statusCode: string
  /** The gateway's id of the dispute while it was an inquiry, if that differs. */
  readonly inquiry?: string | undefined
}

/**
 * Records that the payer's bank takes all or part of a payment back. An amount beyond the rest of the payment is
 * booked as a loss, and opens a reconciliation exception. Returns the chargeback, even if it was recorded before.
 * Throws `InvalidAttributes` for a payment that took no money, `Conflict` while an operation on it is pending. See
 * docs/money.md, "Disputes and returns".
 */
export async function recordChargeback(work: Work, reported: ReportedChargeback): Promise<TransactionRow> {
  const { paymentId, dispute, statusCode } = reported
  const before = await work.lock(resources.transaction, paymentId)
  if (!before) throw invalidAttributes({ transaction_id: 'Not found' })
  const known = await work.findBy(resources.transaction, 'dispute', dispute)
  const recordedBefore = known.find(
    ({ type, gateway }) => type === 'chargeback' && gateway === before.gateway,
  )
  if (recordedBefore) {
    await refuseOfAnother(work, recordedBefore, paymentId)
    return recordedBefore
  }
  const taken = reported.amount ?? chargedAmount(before)
  const amount = Math.min(taken, refundable(storedTransaction(before)))
  // The row is locked, so no other operation takes the remaining amount.
  const reserved =
    amount === 0 ? 1 : await work.tx.change(addChargedBack, { id: paymentId, amount, now: work.now })
  const payment = storedTransaction(await work.refresh(resources.transaction, paymentId))
  const refusal = chargebackRefusal(payment)
  if (refusal ?? reserved === 0) throw refusal ?? busy(payment)
  const convFee = await lostConvFee(work, payment, { amount, rest: taken - amount })
  const excess = Math.max(0, taken - amount - convFee)
  const today = await businessDayFor(work, before)
  const payouts = await payoutsOf(work, before)
  const row = systemTransaction(work, {
    ...partiesOf(before),
    type: 'chargeback',
    gateway: before.gateway,
    amount: amount + excess,
    dispute,
    ...(excess > 0 && { excess, disputed_id: paymentId }),
    ...(await feeOf(work, before, { statusCode, payouts, cutOffAt: today.cutOffAt })),
  })

  const { fee, accrued_fee: accruedFee } = row
  const chargeback = {
    id: row.id,
    amount,
    convFee,
    excess,
    statusCode,
    payouts,
    fee: fee ?? 0,
    accruedFee: accruedFee ?? 0,
  }
  const decided = decideChargeback(payment, chargeback, today.date)

  const recorded = await insertDecided(work, row, decided.own)
  if (reported.inquiry !== undefined) await renameInquiry(work, before, reported.inquiry, dispute)
  await noteChargeback(work, before, recorded, taken)
  if (isFinalReturn(statusCode)) await barMethod(work, before)
  if (amount > 0) await followReturn(work, await changeDecided(work, before, decided.payment))
  if (excess > 0) await raiseException(work, beyond(before, recorded, excess))
  if (payment.fundingStatus === 'batched') await clawBack(work, paymentId)
  return recorded
}

/**
 * Records in the dispute that its chargeback took money. Other facts from the time of an inquiry stay. A bank return
 * is final, so its dispute is lost at once.
 */
async function noteChargeback(
  work: Work,
  payment: TransactionRow,
  { id, dispute, status_code: code }: TransactionRow,
  amount: Minor,
): Promise<void> {
  await noteDispute(work, payment, dispute ?? id, {
    chargeback_id: id,
    amount,
    // An answer to the inquiry does not answer the chargeback.
    answer: null,
    answered_at: null,
    evidence: null,
    ...(isReturn(code) ? { stage: 'lost', reason: code } : { stage: 'needs_response' }),
  })
}

/** Throws `InvalidAttributes` if a chargeback belongs to another payment, since a dispute has one payment. */
export async function refuseOfAnother(
  work: Work,
  { id, disputed_id: disputed }: TransactionRow,
  paymentId: string,
): Promise<void> {
  if (disputed === paymentId) return
  const [entry] = await work.tx.run(entryOfBoth, { id: paymentId, chargeback: id })
  if (!entry) throw invalidAttributes({ dispute: 'Is that of another payment' })
}

/** The ledger entry that links a payment and its chargeback. An amount beyond the payment has no entry. */
const entryOfBoth = prepared<{ id: string; chargeback: string }, { id: string }>((db, param) =>
  db
    .selectFrom('transaction_ledgers')
    .select('id')
    .where('transaction_id', '=', param('id'))
    .where('assoc_transaction_id', '=', param('chargeback'))
    .limit(1),
)

/**
 * Fee of the merchant for a chargeback, and the time from which a funding run charges it; empty for a bank return.
 * See docs/money.md, "Fees".
 */
async function feeOf(
  work: Work,
  payment: TransactionRow,
  {
    statusCode,
    payouts,
    cutOffAt,
  }: { readonly statusCode: string; readonly payouts: Payouts; readonly cutOffAt: string },
): Promise<Partial<TransactionRow>> {
  if (isReturn(statusCode)) return {}
  const account = await work.find(resources.processing_account, payment.processing_id ?? '')
  if (!account) throw new Error(`The processing account of ${payment.id} is gone`)
  const { chargeback_fee: fee, billing_preference: billing } = await processingSettingsOf(work, account)
  if (!fee) return {}
  const charged = billing === 'billed_monthly' ? { accrued_fee: fee } : { fee }
  return payouts === 'simulated' ? { ...charged, awaiting: 'funding', due_at: cutOffAt } : charged
}

/** Reason why a payment cannot be charged back; undefined if it can. See docs/money.md, "Disputes and returns". */
export function chargebackRefusal(payment: Transaction): ApiError | undefined {
  if (payment.type !== 'payment')
    return invalidAttributes({
      transaction_id: `Only a payment can be charged back, this is a ${payment.type}`,
    })
  if (payment.pendingOperation !== null) return busy(payment)
  return payment.status === 'processed' || payment.status === 'rejected'
    ? undefined
    : invalidAttributes({
        transaction_id: `Only a processed payment can be charged back, this is ${payment.status}`,
      })
}

/**
 * The convenience fee that is lost with a chargeback, or 0. The fee is lost when no amount of the payment remains. A
 * fee that was refunded before is lost when the bank takes it again: once, unless a won dispute returned it. `amount`
 * is taken from the payment, and `rest` is the part that the bank takes beyond the payment.
 */
async function lostConvFee(
  work: Work,
  payment: Transaction,
  { amount, rest }: { readonly amount: Minor; readonly rest: Minor },
): Promise<Minor> {
  if (refundable(payment) > 0) return 0
  if (amount > 0) return payment.convFee
  if (payment.status === 'rejected' || rest <= payment.convFee) return 0
  const others = await work.findBy(resources.transaction, 'disputed_id', payment.id)
  const countOf = (of: TransactionRow['type']) =>
    others.filter(({ type, conv_fee: fee }) => type === of && (fee ?? 0) > 0).length
  return countOf('chargeback') > countOf('chargeback_reversal') ? 0 : payment.convFee
}

function beyond(payment: TransactionRow, { id, dispute }: TransactionRow, excess: Minor): NewException {
  return {
    kind: 'dispute_beyond_balance',
    about: `beyond ${id}`,
    transaction: payment,
    gatewayId: dispute,
    amount: excess,
    direction: 'taken',
    happened: `The bank of the payer has taken the payment back (${dispute})`,
    explanation: `The bank of the payer takes ${formatMoney(excess)} more than was left of the payment; it is booked as a loss`,
  }
}

/** A part of a payment that the payer's bank takes back. Amounts in minor units. */
export interface Chargeback {
  readonly id: string
  readonly amount: Minor
  /**
   * The convenience fee that is lost. By default it is that of the payment if no amount of the payment remains, else
   * 0.
   */
  readonly convFee?: Minor
  /** The amount that the bank takes beyond the payment: our loss. */
  readonly excess?: Minor
  /** Reason: `chargeback`, or the code of a bank return. */
  readonly statusCode: string
  /** Payouts of the processing account; by default funding runs pay it. */
  readonly payouts?: Payouts
  /** The merchant's fee for the chargeback, if it is charged with the next deposit. */
  readonly fee: Minor
  /** The merchant's fee for the chargeback, if it is charged with the month's bill. */
  readonly accruedFee: Minor
}

/** Changes that follow from a dispute, for the transaction that records it and for its payment. */
export interface DisputeDecision {
  readonly own: Decision
  readonly payment: Decision
}

/**
 * Decides the changes of a chargeback or bank return. `payment.chargedBack` includes it already. When no amount of
 * the payment remains, the payment is rejected. The convenience fee is then lost: it is taken from fee income.
 */
export function decideChargeback(
  payment: Transaction,
  { id, amount, convFee: lost, excess = 0, statusCode, payouts, fee, accruedFee }: Chargeback,
  today: string,
): DisputeDecision {
  const isRejected = amount > 0 && refundable(payment) === 0
  const convFee = lost ?? (isRejected ? payment.convFee : 0)
  return {
    own: {
      changes: { status: 'processed', status_code: statusCode, processed_date: today, conv_fee: convFee },
      entries: amount > 0 ? contraEntries(payment, { id, type: 'chargeback' }, amount) : [],
      postings: [
        ...chargebackPostings(amount, { convFee, fee, accrued: accruedFee }, payouts),
        ...lossPostings(excess, payouts),
      ],
      events: [],
    },
    payment: {
      changes: isRejected ? { status: 'rejected', status_code: statusCode, funding_status: 'reversed' } : {},
      entries: [],
      postings: [],
      events: ['reject'],
    },
  }
}

interface ChargedBackAddition {
  readonly id: string
  /** Minor units. */
  readonly amount: Minor
  readonly now: string
}

/**
 * Adds to `charged_back` if that much of the payment remains. The statement itself decides, so concurrent chargebacks
 * and refunds cannot exceed the payment.
 */
const addChargedBack = prepared<ChargedBackAddition, never>((db, param) =>
  db
    .updateTable('transactions')
    .set((eb) => ({ charged_back: eb('charged_back', '+', param('amount')), modified_at: param('now') }))
    .where('id', '=', param('id'))
    .where('type', '=', 'payment')
    .where('status', '=', 'processed')
    .where('pending_operation', 'is', null)
    .where(sql<boolean>`refunded + charged_back + ${param('amount')} <= amount`),
)
