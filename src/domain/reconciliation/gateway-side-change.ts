import type { Work } from '../../engine/core/write/work.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import type { DeclinedOutcome, FoundOperation, RemoteGateway } from '../../gateways/contract.js'
import { resources } from '../../resources/resource-table.js'
import { formatMoney } from '../../schema/money.js'
import { undoLoss } from '../exceptions/book-resolution.js'
import { closeExplained } from '../exceptions/close-exception.js'
import { raiseException } from '../exceptions/raise-exception.js'
import { busy, storedTransaction } from '../ledger/stored-transaction.js'
import { decideCapture, decideVoid } from '../payments/outcome/decide-outcome.js'
import { raisePartlyCaptured } from '../payments/outcome/partly-captured.js'
import { changeDecided } from '../payments/outcome/persist-decision.js'
import { chargedAmount } from '../payments/pending/gateway-request.js'
import { readPending, referenceOf } from '../payments/pending/pending-operation.js'
import { businessDayFor } from '../payments/pending/today.js'
import { failRefund, failureAbout } from '../payments/refund/fail-refund.js'

/**
 * Books a capture or a void that the gateway executed although payctl gave it up or never requested it. The books
 * follow the gateway's state. If they cannot, an exception is raised.
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
 * Whether a transaction was made through a gateway and, if a merchant is named, for that merchant. Notices about other
 * transactions are ignored.
 */
export function isTakenBy(
  row: Pick<TransactionRow, 'gateway' | 'gateway_merchant'>,
  gateway: string,
  merchant: string | undefined,
): boolean {
  return row.gateway === gateway && (merchant === undefined || row.gateway_merchant === merchant)
}

/**
 * Records a refund at the gateway whose reference names no transaction here. Some gateways void payments by refunds: a
 * refund of a whole payment is then its void. A declined outcome means that such a void has failed later, or a refund
 * that an operator made at the gateway. Throws `Conflict` while another operation on the payment is pending.
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
    const refund = await takenAs('refund', outcome.gatewayId ?? '')
    return await recordFailedRefund(work, row, refund, { amount, outcome })
  }
  const open =
    row.pending_operation === null ? undefined : referenceOf(readPending(row.pending_operation), row.id)
  // This notice reports the payment's own pending operation, whose outcome is recorded elsewhere. If another operation
  // is pending, the notice has to wait.
  if (open !== undefined && open === reference) return
  if (open !== undefined) throw busy(storedTransaction(row))
  const refund = { id: outcome.gatewayId ?? null, isVoid: capabilities.voidCaptured === 'refund' }
  await recordVoid(work, row, amount, refund)
}

/**
 * Records that a refund failed later: a booked refund, a refund that voided its payment, or a refund that has an
 * exception.
 */
async function recordFailedRefund(
  work: Work,
  payment: TransactionRow,
  refund: TransactionRow | undefined,
  { amount, outcome }: { readonly amount: number; readonly outcome: DeclinedOutcome },
): Promise<void> {
  if (refund?.status === 'processed') {
    await failRefund(work, refund, outcome)
    return
  }
  if (payment.status === 'voided') await raiseFailedVoid(work, payment, { amount, outcome })
  else await withdrawGivenBack(work, payment, outcome)
}

/**
 * Closes the exception of a refund that was made at the gateway by hand, as it has failed there. Its loss is undone:
 * the gateway has the money.
 */
async function withdrawGivenBack(
  work: Work,
  { gateway }: TransactionRow,
  { gatewayId, code, statusCode }: DeclinedOutcome,
): Promise<void> {
  const [raised] = await work.findBy(resources.exception, 'about', `given back ${gateway} ${gatewayId}`)
  if (raised?.resolution === 'loss') await undoLoss(work, raised)
  else if (raised?.status !== 'open') return
  await closeExplained(work, raised, `The refund failed at the gateway later (${code ?? statusCode})`)
}

/**
 * Records that the gateway has failed to pay out an approved amount, as the bank returned it: the refund or credit is
 * declined. Throws `Conflict` while another operation on its payment is pending.
 */
export async function recordFailedPayout(
  work: Work,
  row: TransactionRow,
  { outcome }: FoundOperation,
): Promise<void> {
  if (row.type !== 'refund' && row.type !== 'credit') return
  if (typeof outcome === 'object' && outcome.result === 'declined') await failRefund(work, row, outcome)
}

/**
 * Opens a reconciliation exception for a void that the gateway executed as a refund. That refund failed later, so the
 * gateway still has the payer's money.
 */
async function raiseFailedVoid(
  work: Work,
  row: TransactionRow,
  { amount, outcome }: { readonly amount: number; readonly outcome: DeclinedOutcome },
): Promise<void> {
  const { gatewayId, code, statusCode } = outcome
  await raiseException(work, {
    kind: 'refund_failed',
    about: failureAbout(row.gateway, gatewayId ?? row.id),
    transaction: row,
    amount,
    direction: 'paid',
    gatewayId,
    resolutions: ['retry', 'paid_otherwise'],
    notice: JSON.stringify({ failed: gatewayId, amount, code }),
    happened: `The gateway had approved the refund ${gatewayId} of ${formatMoney(amount)}, and says now that it failed (${code ?? statusCode})`,
    explanation: `The refund has voided this payment: the payer has not got the ${formatMoney(amount)}, and the gateway has it`,
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
    direction: 'taken',
    happened: `The gateway has given back ${formatMoney(amount)} of the payment ${row.gateway_id}${id === null ? '' : ` by the refund ${id}`}`,
    // With `link`, the amount is booked as a refund of the payment, which the merchant bears.
    resolutions: id === null ? ['loss', 'ignore'] : ['link', 'loss', 'ignore'],
    ...(id !== null && { notice: JSON.stringify({ type: 'refund', refund: id, amount }) }),
    explanation: `The gateway has given back ${formatMoney(amount)} of a payment that is ${row.status} here`,
  })
}
