import type { ApiError } from '../../engine/core/request/errors.js'
import type { Work } from '../../engine/core/write/work.js'
import type { Prepared } from '../../engine/store/database/prepared.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import type { Gateway } from '../../gateways/contract.js'
import { busy } from '../ledger/refusals.js'
import { storedTransaction, type Transaction } from '../ledger/stored-transaction.js'
import { askAfterCommit } from './ask-gateway.js'
import { decideOutcome } from './decide-outcome.js'
import { followingOperation } from './gateway-operation.js'
import { writePending } from './pending-operation.js'
import { changeDecided } from './persist-decision.js'
import { businessDayFor } from './today.js'

/** What claiming a payment for an operation at the gateway needs. */
export interface Claim {
  id: string
  open: string
  now: string
}

/** An operation on a payment that the gateway knows. */
export interface PaymentChange {
  readonly kind: 'capture' | 'void'
  /** Takes the payment for this operation, if nothing else has it and its state allows it. */
  readonly claim: Prepared<Claim, never>
  readonly refusal: (payment: Transaction) => ApiError | undefined
}

/**
 * Claims the payment, decides, and asks the gateway: an embedded one within the unit of work, a remote one after its
 * commit. Throws when the state of the payment does not allow it, or another operation has it.
 */
export async function changePayment(
  work: Work,
  gateway: Gateway,
  id: string,
  change: PaymentChange,
): Promise<TransactionRow> {
  const operation = { kind: change.kind, reference: work.newId('op_') }
  const claimed = await work.tx.change(change.claim, { id, open: writePending(operation), now: work.now })
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
    askAfterCommit(work, gateway, request, id)
    return row
  }
  return await changeDecided(
    work,
    row,
    decideOutcome(payment, operation, gateway.perform(request), await businessDayFor(work, row)),
  )
}
