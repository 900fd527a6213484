import { ApiError } from '../../engine/core/request/errors.js'
import type { Work } from '../../engine/core/write/work.js'
import type { Environment } from '../../engine/store/database/store.js'
import type {
  Gateway,
  GatewayMethod,
  GatewayOperation,
  GatewayOutcome,
  RemoteGateway,
} from '../../gateways/contract.js'
import { CURRENCY, type Minor } from '../../schema/money.js'
import type { Transaction } from '../ledger/stored-transaction.js'
import type { NewOperation } from './pending-operation.js'
import { recordOutcome } from './record-outcome.js'

/** The environment's gateway. Throws `ServiceUnavailable` before anything is stored. */
export function requireGateway(gateway: Gateway | undefined, environment: Environment): Gateway {
  if (gateway) return gateway
  throw new ApiError(
    'ServiceUnavailable',
    `No gateway is connected to the ${environment} environment, so it cannot move money`,
  )
}

/** The request for a new payment, blind refund or credit. Payers are charged amount and convenience fee. */
export function requestForNew(
  { kind }: NewOperation,
  { id, amount, convFee }: Pick<Transaction, 'id' | 'amount' | 'convFee'>,
  method: GatewayMethod,
): GatewayOperation {
  const type = kind === 'blind_refund' ? 'refund' : kind
  return { type, reference: id, amount: amount + convFee, currency: CURRENCY, method }
}

/** The request for an operation on a payment that the gateway knows. */
export function requestOnPayment(
  type: 'capture' | 'void' | 'refund',
  reference: string,
  payment: Pick<Transaction, 'id'>,
  amount: Minor,
): GatewayOperation {
  return { type, reference, parent: payment.id, amount, currency: CURRENCY }
}

/** Calls a remote gateway once the intent is committed, and records what it answers. */
export function askAfterCommit(
  work: Work,
  gateway: RemoteGateway,
  operation: GatewayOperation,
  transactionId: string,
): void {
  work.afterCommit({
    perform: async () => {
      const outcome = await outcomeOf(gateway, operation)
      return async (later) => {
        if (outcome !== 'unknown') await recordOutcome(later, transactionId, operation.reference, outcome)
      }
    },
  })
}

/**
 * A call that fails says nothing about whether the work was done: the transaction keeps its pending operation, and
 * reconciliation asks again by reference.
 */
async function outcomeOf(
  gateway: RemoteGateway,
  operation: GatewayOperation,
): Promise<GatewayOutcome | 'unknown'> {
  try {
    return await gateway.perform(operation)
  } catch {
    return 'unknown'
  }
}
