import type { Work } from '../../../engine/core/write/work.js'
import type { GatewayOperation, RemoteGateway } from '../../../gateways/contract.js'
import { timeOfId } from '../../../schema/id-time.js'
import { outcomeOfCancelling } from '../pending/awaited-payer.js'
import { type Answer, factsOf } from '../pending/gateway-answer.js'
import { recordOutcome } from './record-outcome.js'

/** Calls a remote gateway after the commit of the pending operation, and records the gateway's answer. */
export function askAfterCommit(
  work: Work,
  gateway: RemoteGateway,
  operation: GatewayOperation,
  transactionId: string,
): void {
  work.afterCommit({
    perform: async () => {
      const answer = await answerTo(gateway, operation)
      return async (later) => {
        if (answer === 'unknown') return undefined
        const { partlyApproved, mustCancel, refusal } = await recordOutcome(
          later,
          transactionId,
          operation,
          answer,
        )
        // The payment is declined when the void of its approved part has an outcome.
        if (partlyApproved) askAfterCommit(later, gateway, partlyApproved, transactionId)
        if (mustCancel) cancelAfterCommit(later, gateway, operation, gatewayIdIn(answer))
        return refusal
      }
    },
  })
}

/** Cancels at the gateway a payment whose payer has not authenticated or cannot, and records the payment's outcome. */
export function cancelAfterCommit(
  work: Work,
  gateway: RemoteGateway,
  operation: GatewayOperation,
  gatewayId: string | null,
): void {
  const { reference } = operation
  work.afterCommit({
    perform: async () => {
      const answer = await outcomeOfCancelling(gateway, operation, {
        since: timeOfId(reference),
        gatewayId,
      })
      return async (later) => {
        if (answer !== 'unknown') await recordOutcome(later, reference, operation, answer)
        return undefined
      }
    },
  })
}

function gatewayIdIn(answer: Answer): string | null {
  return factsOf(answer).gateway_id ?? null
}

/**
 * The gateway's answer, or `unknown` if the call fails: the gateway may have executed the operation all the same. The
 * transaction then keeps its pending operation, and reconciliation queries the gateway by reference.
 */
export async function answerTo(
  gateway: RemoteGateway,
  operation: GatewayOperation,
): Promise<Answer | 'unknown'> {
  try {
    return await gateway.perform(operation)
  } catch {
    return 'unknown'
  }
}
