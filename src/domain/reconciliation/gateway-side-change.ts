import type { Work } from '../../engine/core/write/work.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import type { DeclinedOutcome, FoundOperation, RemoteGateway } from '../../gateways/contract.js'
import { resources } from '../../resources/resource-table.js'
import { formatMoney } from '../../schema/money.js'
import { raiseException } from '../exceptions/raise-exception.js'
import { busy, storedTransaction } from '../ledger/stored-transaction.js'
import { decideCapture, decideVoid } from '../payments/decide-outcome.js'
import { chargedAmount } from '../payments/gateway-request.js'
import { readPending, referenceOf } from '../payments/pending-operation.js'
import { changeDecided } from '../payments/persist-decision.js'
import { businessDayFor } from '../payments/today.js'

/**
 * Books a capture or a void that the gateway has made although it was given up or never requested here. The gateway's
 * state counts. Raises an exception if the books can no longer follow.
 */
export async function recordGatewaySideChange(
  work: Work,
  row: TransactionRow,
  { state, amount }: Pick<FoundOperation, 'state' | 'amount'>,
): Promise<void> {
  if (row.type !== 'payment' || state === undefined || state === 'authorized') return
  if (state === 'voided') return await recordVoid(work, row, chargedAmount(row))
  if (row.status !== 'authorized') return
  if (amount !== chargedAmount(row)) return await raisePartlyCaptured(work, row, amount)
  await changeDecided(work, row, decideCapture(storedTransaction(row), await businessDayFor(work, row)))
}

/**
 * Raises an exception for a payment that was partly captured at the gateway by hand: only an operator can divide the
 * amount.
 */
async function raisePartlyCaptured(work: Work, row: TransactionRow, amount: number): Promise<void> {
  await raiseException(work, {
    kind: 'amount_differs',
    about: `captured ${row.id}`,
    transaction: row,
    amount,
    resolutions: ['ignore'],
    notice: JSON.stringify({ captured: row.gateway_id, amount }),
    explanation: `The gateway has captured ${formatMoney(amount)} of a payment of ${formatMoney(chargedAmount(row))}, which nobody asked for here`,
  })
}

/**
 * Whether a gateway, and its merchant if one is named, took a transaction; notices about others' transactions are
 * ignored.
 */
export function isTakenBy(
  row: Pick<TransactionRow, 'gateway' | 'gateway_merchant'>,
  gateway: string,
  merchant: string | undefined,
): boolean {
  return row.gateway === gateway && (merchant === undefined || row.gateway_merchant === merchant)
}

/**
 * Records a refund that names no transaction here. A refund of a whole payment is its void, where the gateway voids by
 * refunds; such a void may fail afterwards, and so may a refund that was made by hand and booked. Throws `Conflict`
 * while another operation on the payment is pending.
 */
export async function recordLateRefund(
  work: Work,
  { name: gateway, capabilities }: RemoteGateway,
  { reference, parent = '', amount, outcome, merchant }: FoundOperation,
): Promise<void> {
  if (typeof outcome === 'string' || parent === '') return
  if (outcome.result !== 'approved' && outcome.result !== 'declined') return
  const takenAs = async (type: 'payment' | 'refund', gatewayId: string) => {
    const found = await work.findBy(resources.transaction, 'gateway_id', gatewayId)
    return found.find((each) => each.type === type && isTakenBy(each, gateway, merchant))
  }
  const named = await takenAs('payment', parent)
  const row = named && (await work.lock(resources.transaction, named.id))
  if (!row) return
  if (outcome.result === 'declined') {
    const failed = failedPart(row, await takenAs('refund', outcome.gatewayId ?? ''))
    if (failed) await raiseFailed(work, failed, { amount, outcome })
    return
  }
  if (row.pending_operation !== null) {
    // The outcome of the payment's own operation is on its way.
    if (referenceOf(readPending(row.pending_operation), row.id) === reference) return
    throw busy(storedTransaction(row))
  }
  const refund = { id: outcome.gatewayId ?? null, isVoid: capabilities.voidCaptured === 'refund' }
  await recordVoid(work, row, amount, refund)
}

/** Transaction that a failed refund belongs to: a voided payment, or a booked refund; undefined if there is neither. */
function failedPart(payment: TransactionRow, refund: TransactionRow | undefined): TransactionRow | undefined {
  if (payment.status === 'voided') return payment
  return refund?.status === 'processed' ? refund : undefined
}

/**
 * Records that the gateway has failed to pay out an approved amount, as the bank returned it. Postings remain, and an
 * operator decides how the payer gets it.
 */
export async function recordFailedPayout(
  work: Work,
  row: TransactionRow,
  { amount, outcome }: FoundOperation,
): Promise<void> {
  if (row.type !== 'refund' && row.type !== 'credit') return
  if (typeof outcome === 'object' && outcome.result === 'declined')
    await raiseFailed(work, row, { amount, outcome })
}

async function raiseFailed(
  work: Work,
  row: TransactionRow,
  { amount, outcome }: { readonly amount: number; readonly outcome: DeclinedOutcome },
): Promise<void> {
  const { gatewayId, code, statusCode } = outcome
  const what = row.type === 'payment' ? 'the refund that voids this payment' : `this ${row.type}`
  await raiseException(work, {
    kind: 'amount_differs',
    about: gatewayId ? `failed ${row.gateway} ${gatewayId}` : `failed ${row.id}`,
    transaction: row,
    amount,
    gatewayId,
    resolutions: ['ignore'],
    notice: JSON.stringify({ failed: gatewayId, amount, code }),
    explanation: `The gateway had approved ${what} of ${formatMoney(amount)}, and says now that it failed (${code ?? statusCode}): the payer has not got it, and the gateway has it`,
  })
}

async function recordVoid(
  work: Work,
  row: TransactionRow,
  amount: number,
  refund?: { readonly id: string | null; readonly isVoid: boolean },
): Promise<void> {
  if (row.status === 'voided' || row.status === 'declined') return
  const isWhole = amount === chargedAmount(row) && (row.refunded ?? 0) + (row.charged_back ?? 0) === 0
  const isUnsettled = row.status === 'authorized' || row.funding_status === 'pending'
  if (isWhole && isUnsettled && refund?.isVoid !== false) {
    await changeDecided(work, row, decideVoid(storedTransaction(row)))
    return
  }
  const id = refund?.id ?? null
  await raiseException(work, {
    kind: 'amount_differs',
    about: id === null ? `given back ${row.id}` : `given back ${row.gateway} ${id}`,
    transaction: row,
    amount,
    gatewayId: id,
    // Linked with its payment it becomes a refund, which the merchant bears.
    resolutions: id === null ? ['loss', 'ignore'] : ['link', 'loss', 'ignore'],
    ...(id !== null && { notice: JSON.stringify({ type: 'refund', refund: id, amount }) }),
    explanation: `The gateway has given back ${formatMoney(amount)} of a payment that is ${row.status} here`,
  })
}
