import type { ApiError } from '../../../engine/core/request/api-error.js'
import type { Work } from '../../../engine/core/write/work.js'
import type { Prepared } from '../../../engine/store/database/prepared.js'
import type { TransactionRow } from '../../../engine/store/database/tables.js'
import type { Gateway } from '../../../gateways/contract.js'
import { resources } from '../../../resources/resource-table.js'
import { busy, storedTransaction, type Transaction } from '../../ledger/stored-transaction.js'
import { askAfterCommit } from '../outcome/ask-gateway.js'
import { decideOutcome } from '../outcome/decide-outcome.js'
import { changeDecided } from '../outcome/persist-decision.js'
import { requestOnWhole } from '../pending/gateway-request.js'
import { type CapturedPart, writePending } from '../pending/pending-operation.js'
import { businessDayFor } from '../pending/today.js'

/** A capture or a void, and how it claims the payment. */
export interface ClaimedOperation {
  readonly kind: 'capture' | 'void'
  /** The part that is captured; omitted for the whole payment. */
  readonly part?: CapturedPart | undefined
  /**
   * Claims the payment. Of two concurrent operations only one succeeds, because this statement itself checks the
   * payment.
   */
  readonly claim: Prepared<Claim, never>
  /** Reason why the payment's state forbids the operation now; undefined if it does not. */
  refusal(payment: Transaction): ApiError | undefined
}

/** Parameters of a statement that claims a payment for an operation. */
export interface Claim {
  readonly id: string
  /** Value of the payment's `pending_operation` until the gateway answers. */
  readonly pending: string
  readonly now: string
}

/**
 * Captures or voids a payment: claim it, call the gateway, decide, record. Throws when its state does not allow it,
 * or while another operation on it is pending.
 */
export async function performClaimed(
  work: Work,
  gateway: Gateway,
  id: string,
  { kind, part, claim, refusal }: ClaimedOperation,
): Promise<TransactionRow> {
  const reference = work.newId('op_')
  const operation = kind === 'capture' ? { kind, reference, part } : { kind, reference }
  const claimed = await work.tx.change(claim, { id, pending: writePending(operation), now: work.now })
  const row = await work.refresh(resources.transaction, id)
  const payment = storedTransaction(row)
  if (claimed === 0) throw refusal(payment) ?? busy(payment)

  const request = requestOnWhole(operation, row)
  if (gateway.kind === 'remote') {
    askAfterCommit(work, gateway, request, id)
    return row
  }
  const outcome = gateway.perform(request)
  const decision = decideOutcome(payment, operation, outcome, await businessDayFor(work, row))
  return await changeDecided(work, row, decision)
}
