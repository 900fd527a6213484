import type { ApiError } from '../../engine/core/request/errors.js'
import type { Work } from '../../engine/core/write/work.js'
import { type Prepared, prepared } from '../../engine/store/database/prepared.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import type { Gateway } from '../../gateways/contract.js'
import { busy } from '../ledger/refusals.js'
import { storedTransaction, type Transaction } from '../ledger/stored.js'
import { askLater } from './ask-gateway.js'
import { captureRefusal } from './capture.js'
import { changeDecided } from './carry-out.js'
import { decideOutcome } from './decide-outcome.js'
import { followingOperation } from './gateway-operation.js'
import { writeOpen } from './open-operation.js'
import { todayFor } from './today.js'
import { voidRefusal } from './void.js'

/** Captures an authorized payment, in full. Money: "transaction.status". */
export async function capturePayment(work: Work, gateway: Gateway, id: string): Promise<TransactionRow> {
  return await changePayment(work, gateway, id, {
    kind: 'capture',
    claim: claimCapture,
    refusal: captureRefusal,
  })
}

/** Voids a payment that has not settled. Spec: "States and transitions". */
export async function voidPayment(work: Work, gateway: Gateway, id: string): Promise<TransactionRow> {
  return await changePayment(work, gateway, id, { kind: 'void', claim: claimVoid, refusal: voidRefusal })
}

interface Claim {
  id: string
  open: string
  now: string
}

interface Change {
  readonly kind: 'capture' | 'void'
  /** Takes the payment for this operation, if nothing else has it and its state allows it. */
  readonly claim: Prepared<Claim, never>
  readonly refusal: (payment: Transaction) => ApiError | undefined
}

async function changePayment(
  work: Work,
  gateway: Gateway,
  id: string,
  change: Change,
): Promise<TransactionRow> {
  const operation = { kind: change.kind, reference: work.newId('op_') }
  const claimed = await work.tx.change(change.claim, { id, open: writeOpen(operation), now: work.now })
  const row = await work.refresh('transaction', id)
  const payment = storedTransaction(row)
  if (claimed === 0) throw change.refusal(payment) ?? busy(payment)
  const request = followingOperation(
    change.kind,
    operation.reference,
    payment,
    payment.amount + payment.convFee,
  )
  if (gateway.kind === 'remote') {
    askLater(work, gateway, request, id)
    return row
  }
  return await changeDecided(
    work,
    row,
    decideOutcome(payment, operation, gateway.perform(request), await todayFor(work, row)),
  )
}

const claimCapture = prepared<Claim, never>((db, param) =>
  db
    .updateTable('transactions')
    .set({ open_operation: param('open'), modified_at: param('now') })
    .where('id', '=', param('id'))
    .where('type', '=', 'payment')
    .where('status', '=', 'authorized')
    .where('open_operation', 'is', null)
    .where('risk_flag', '<>', 'in_review'),
)

const claimVoid = prepared<Claim, never>((db, param) =>
  db
    .updateTable('transactions')
    .set({ open_operation: param('open'), modified_at: param('now') })
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
