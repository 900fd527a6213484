import { type ApiError, invalidAttributes } from '../../../engine/core/request/api-error.js'
import type { Work } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type { PaymentMethodRow, TransactionRow } from '../../../engine/store/database/tables.js'
import type { Gateway } from '../../../gateways/contract.js'
import { resources } from '../../../resources/resource-table.js'
import { formatMoney, type Minor } from '../../../schema/money.js'
import { processingSettingsOf } from '../../accounts/processing-settings-rule.js'
import { refuseUnfitting } from '../../allocations/fit-allocations.js'
import { type Fees, feesOf, methodKind, priceOf } from '../../ledger/fees.js'
import { busy, storedTransaction, type Transaction } from '../../ledger/stored-transaction.js'
import type { CapturedPart } from '../pending/pending-operation.js'
import { cannotChange } from '../pending/transaction-status.js'
import { type Claim, performClaimed } from './perform-claimed.js'

/** Terms of a capture. By default the whole payment is captured, if its allocations still fit their invoices. */
export interface CaptureTerms {
  /** Minor units, by default the whole payment. The rest of the authorized amount is released. */
  readonly amount?: Minor | undefined
  /** Whether to capture even if the amount no longer fits the invoices that the payment was to pay. */
  readonly allowUnallocated?: boolean
}

/**
 * Captures an authorized payment, all or a part of it. Throws when its state does not allow it, and `Conflict` when
 * its allocations no longer fit. See docs/money.md, "A payment's status" and "Invoices".
 */
export async function capturePayment(
  work: Work,
  gateway: Gateway,
  id: string,
  { amount, allowUnallocated = false }: CaptureTerms = {},
): Promise<TransactionRow> {
  const row = (await work.lock(resources.transaction, id)) ?? (await work.refresh(resources.transaction, id))
  const refusal = captureRefusal(storedTransaction(row))
  if (refusal) throw refusal
  const part = amount === undefined ? undefined : await partOf(work, gateway, row, amount)
  if (!allowUnallocated) await refuseUnfitting(work, row, part?.amount ?? row.amount ?? 0)
  const operation = { kind: 'capture', part, claim: claimCapture, refusal: captureRefusal } as const
  return await performClaimed(work, gateway, id, operation)
}

/** The captured part with its fees; undefined for the whole amount. Throws `InvalidAttributes`. */
async function partOf(
  work: Work,
  gateway: Gateway,
  payment: TransactionRow,
  amount: Minor,
): Promise<CapturedPart | undefined> {
  const authorized = payment.amount ?? 0
  if (amount > authorized)
    throw invalidAttributes({ amount: `Exceeds authorized amount of ${formatMoney(authorized)}` })
  if (amount === authorized) return undefined
  if (gateway.kind === 'remote' && !gateway.capabilities.partialCapture)
    throw invalidAttributes({ amount: `${gateway.name} captures no part of a payment` })
  return { amount, ...(await work.asSystem(() => feesOfPart(work, payment, amount))) }
}

/** The captured part, computed from `charged`: the minor units that the payer was charged, convenience fee included. */
export async function partCaptured(
  work: Work,
  payment: TransactionRow,
  charged: Minor,
): Promise<CapturedPart> {
  let part: CapturedPart = { amount: charged, convFee: 0, fee: 0, accrued: 0 }
  // The fee depends on the amount, and the amount is the charge less the fee: approximated in rounds.
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const fees = await work.asSystem(() => feesOfPart(work, payment, part.amount))
    const amount = charged - fees.convFee
    const isFound = amount === part.amount
    part = { amount, ...fees }
    if (isFound) break
  }
  const rest = charged - part.amount - part.convFee
  return { ...part, convFee: part.convFee + rest }
}

/** Maximum number of rounds; each reduces the error by the rate of the fee. */
const MAX_ROUNDS = 10

async function feesOfPart(work: Work, payment: TransactionRow, amount: Minor): Promise<Fees> {
  const account = await work.find(resources.processing_account, payment.processing_id ?? '')
  if (!account) throw new Error(`The processing account of ${payment.id} is gone`)
  const [method] = await work.tx.run(pricedMethod, { id: payment.payment_method_id ?? '' })
  if (!method) throw new Error(`The payment method of ${payment.id} is gone`)
  const price = priceOf(await processingSettingsOf(work, account), methodKind(method))
  return feesOf(amount, price, payment.conv_fee ?? 0)
}

/** Columns of a payment method that decide its fee; finds deleted methods too. */
const pricedMethod = prepared<{ id: string }, Pick<PaymentMethodRow, 'type' | 'card__card_type'>>(
  (db, param) =>
    db.selectFrom('payment_methods').select(['type', 'card__card_type']).where('id', '=', param('id')),
)

/** Reason why a payment cannot be captured now; undefined if it can. See docs/money.md, "A payment's status". */
export function captureRefusal(payment: Transaction): ApiError | undefined {
  if (payment.pendingOperation !== null) return busy(payment)
  if (payment.status !== 'authorized')
    return invalidAttributes({ status: cannotChange(payment.status, 'processed') })
  if (payment.riskFlag === 'in_review' || payment.riskFlag === 'denied') {
    const reason = payment.riskFlag === 'denied' ? 'it was denied' : 'it is held for review'
    return invalidAttributes({ status: `${cannotChange('authorized', 'processed')}: ${reason}` })
  }
  return undefined
}

const claimCapture = prepared<Claim, never>((db, param) =>
  db
    .updateTable('transactions')
    .set({ pending_operation: param('pending'), modified_at: param('now') })
    .where('id', '=', param('id'))
    .where('type', '=', 'payment')
    .where('status', '=', 'authorized')
    .where('pending_operation', 'is', null)
    .where('risk_flag', 'not in', ['in_review', 'denied']),
)
