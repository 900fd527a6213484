import type { Work } from '../../engine/core/write/work.js'
import type { GatewayOperation, RemoteGateway } from '../../gateways/contract.js'
import type { Answer } from './gateway-answer.js'
import { recordOutcome } from './record-outcome.js'

/** Calls a remote gateway once the intent is committed, and records what it answers. */
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
        const { partlyApproved, refusal } = await recordOutcome(later, transactionId, operation, answer)
        // What was approved of it is given back first.
        if (partlyApproved) askAfterCommit(later, gateway, partlyApproved, transactionId)
        return refusal
      }
    },
  })
}

/**
 * A call that fails says nothing about whether the work was done: the transaction keeps its pending operation, and
 * reconciliation asks again by reference.
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
