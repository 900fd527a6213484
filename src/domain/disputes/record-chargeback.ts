import { sql } from 'kysely'
import { invalidAttributes } from '../../engine/core/request/errors.js'
import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import type { Minor } from '../../schema/money.js'
import { settingsOf } from '../accounts/processing-settings-of.js'
import { busy } from '../ledger/refusals.js'
import { storedTransaction } from '../ledger/stored-transaction.js'
import { clawBack } from '../payments/clawback.js'
import { changeDecided, insertDecided } from '../payments/persist-decision.js'
import { refundable } from '../payments/refund.js'
import { isReturn } from '../payments/status-codes.js'
import { partiesOf, systemTransaction } from '../payments/system-transaction.js'
import { businessDayFor } from '../payments/today.js'
import { chargebackRefusal, decideChargeback } from './chargeback.js'

/** A chargeback or a bank return as the gateway tells of it. */
export interface Loss {
  readonly paymentId: string
  /** Stable and of this loss alone: it is recorded once. */
  readonly dispute: string
  /** Minor units; what is left of the payment unless given. */
  readonly amount?: Minor | undefined
  /** `chargeback`, or the code of a bank return. */
  readonly statusCode: string
}

/**
 * Records that the payer's bank takes (a part of) a payment back; answers the chargeback, the one that there is when it
 * is told again. Throws `InvalidAttributes` when it does not fit what is left, `Conflict` while an operation on the payment is open. Money: "Refunds, voids, disputes".
 */
export async function recordChargeback(work: Work, loss: Loss): Promise<TransactionRow> {
  const { paymentId, dispute, statusCode } = loss
  const before = await work.lock('transaction', paymentId)
  if (!before) throw invalidAttributes({ transaction_id: 'Not found' })
  const known = await work.findBy('transaction', 'dispute', dispute)
  const recordedBefore = known.find(({ type }) => type === 'chargeback')
  if (recordedBefore) return recordedBefore
  const amount = loss.amount ?? Math.max(1, refundable(storedTransaction(before)))
  const taken = await work.tx.change(chargeBack, { id: paymentId, amount, now: work.now })
  const payment = storedTransaction(await work.refresh('transaction', paymentId))
  if (taken === 0) throw chargebackRefusal(payment, amount) ?? busy(payment)

  const today = await businessDayFor(work, before)
  const row = systemTransaction(work, {
    ...partiesOf(before),
    type: 'chargeback',
    amount,
    dispute,
    ...(await feeOf(work, before, statusCode, today.cutOffAt)),
  })
  const chargeback = {
    id: row.id,
    amount,
    statusCode,
    fee: row.fee ?? 0,
    accruedFee: row.accrued_fee ?? 0,
  }
  const decided = decideChargeback(payment, chargeback, today.date)
  const recorded = await insertDecided(work, row, decided.own)
  await changeDecided(work, before, decided.payment)
  if (payment.fundingStatus === 'batched') await clawBack(work, paymentId)
  return recorded
}

/** What the merchant is charged, and by when; nothing for a bank return. Money: "Fees". */
async function feeOf(
  work: Work,
  payment: TransactionRow,
  statusCode: string,
  cutOffAt: string,
): Promise<Partial<TransactionRow>> {
  if (isReturn(statusCode)) return {}
  const account = await work.find('processing_account', payment.processing_id ?? '')
  if (!account) throw new Error(`The processing account of ${payment.id} is gone`)
  const { chargeback_fee: fee, billing_preference: billing } = await settingsOf(work, account)
  if (!fee) return {}
  const charged = billing === 'billed_monthly' ? { accrued_fee: fee } : { fee }
  return { ...charged, awaiting: 'funding', due_at: cutOffAt }
}

interface Taking {
  readonly id: string
  /** Minor units. */
  readonly amount: Minor
  readonly now: string
}

/** The same guard as that of refunds: the statement decides, however many arrive at once. */
const chargeBack = prepared<Taking, never>((db, param) =>
  db
    .updateTable('transactions')
    .set((eb) => ({ charged_back: eb('charged_back', '+', param('amount')), modified_at: param('now') }))
    .where('id', '=', param('id'))
    .where('type', '=', 'payment')
    .where('status', '=', 'processed')
    .where('open_operation', 'is', null)
    .where(sql<boolean>`refunded + charged_back + ${param('amount')} <= amount`),
)
