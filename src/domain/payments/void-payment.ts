import { type ApiError, invalidAttributes } from '../../engine/core/request/errors.js'
import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import type { Gateway } from '../../gateways/contract.js'
import { busy, storedTransaction, type Transaction } from '../ledger/stored-transaction.js'
import { askAfterCommit, requestOnPayment } from './ask-gateway.js'
import { decideOutcome } from './decide-outcome.js'
import { type Claim, writePending } from './pending-operation.js'
import { changeDecided } from './persist-decision.js'
import { cannotChange } from './status.js'
import { businessDayFor } from './today.js'

/**
 * Voids a payment that has not settled: claim it, ask the gateway, decide, record. Throws when its state does not
 * allow it, or another operation on it has no outcome. Spec: "States and transitions".
 */
export async function voidPayment(work: Work, gateway: Gateway, id: string): Promise<TransactionRow> {
  const operation = { kind: 'void', reference: work.newId('op_') } as const
  const claimed = await work.tx.change(claimVoid, { id, pending: writePending(operation), now: work.now })
  const row = await work.refresh('transaction', id)
  const payment = storedTransaction(row)
  if (claimed === 0) throw voidRefusal(payment) ?? busy(payment)

  const request = requestOnPayment(
    operation.kind,
    operation.reference,
    payment,
    payment.amount + payment.convFee,
  )
  if (gateway.kind === 'remote') {
    askAfterCommit(work, gateway, request, id)
    return row
  }
  const outcome = gateway.perform(request)
  const decision = decideOutcome(payment, operation, outcome, await businessDayFor(work, row))
  return await changeDecided(work, row, decision)
}

/** Why a transaction cannot be voided now; nothing when it can. Money: "transaction.status". */
export function voidRefusal(payment: Transaction): ApiError | undefined {
  if (payment.type !== 'payment') return refuse(payment, 'only a payment is voided')
  if (payment.pendingOperation !== null) return busy(payment)
  if (payment.status === 'authorized') return undefined
  if (payment.status !== 'processed')
    return invalidAttributes({ status: cannotChange(payment.status, 'voided') })
  if (payment.refunded > 0) return refuse(payment, 'it is partly or wholly refunded')
  if (payment.chargedBack > 0) return refuse(payment, 'it is charged back')
  if (payment.fundingStatus !== 'pending') return refuse(payment, 'it has settled, refund it instead')
  return undefined
}

function refuse({ status }: Transaction, reason: string): ApiError {
  return invalidAttributes({ status: `${cannotChange(status, 'voided')}: ${reason}` })
}

/** Of two operations that arrive at once, one has the payment: the statement decides, not a read before it. */
const claimVoid = prepared<Claim, never>((db, param) =>
  db
    .updateTable('transactions')
    .set({ open_operation: param('pending'), modified_at: param('now') })
    .where('id', '=', param('id'))
    .where('type', '=', 'payment')
    .where('open_operation', 'is', null)
    .where((eb) =>
      eb.or([
        eb('status', '=', 'authorized'),
        eb.and([
          eb('status', '=', 'processed'),
          eb('funding_status', '=', 'pending'),
          eb('refunded', '=', 0),
          eb('charged_back', '=', 0),
        ]),
      ]),
    ),
)
