import { ApiError } from '../../engine/core/request/errors.js'
import type { Work } from '../../engine/core/write/work.js'
import type { Environment } from '../../engine/store/database/store.js'
import type { FoundOutcome, Gateway, GatewayOperation, RemoteGateway } from '../../gateways/contract.js'
import type { Answer } from './decide-outcome.js'
import { recordOutcome } from './record-outcome.js'

/** The environment's gateway. Throws `ServiceUnavailable` before anything is stored. */
export function requireGateway(gateway: Gateway | undefined, environment: Environment): Gateway {
  if (gateway) return gateway
  throw new ApiError(
    'ServiceUnavailable',
    `No gateway is connected to the ${environment} environment, so it cannot move money`,
  )
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
      const answer = await answerTo(gateway, operation)
      return async (later) => {
        if (answer !== 'unknown') await recordOutcome(later, transactionId, operation.reference, answer)
      }
    },
  })
}

/**
 * A call that fails says nothing about whether the work was done: the transaction keeps its pending operation, and
 * reconciliation asks again by reference.
 */
async function answerTo(gateway: RemoteGateway, operation: GatewayOperation): Promise<Answer | 'unknown'> {
  try {
    const outcome = await gateway.perform(operation)
    // Nothing happened there.
    const isRefused = outcome.result === 'not_sent' || outcome.result === 'misconfigured'
    return isRefused ? 'never_seen' : decidingAnswer(outcome)
  } catch {
    return 'unknown'
  }
}

/** What of an outcome decides an operation. */
export function decidingAnswer(outcome: FoundOutcome): Answer | 'unknown' {
  if (outcome === 'never_seen') return outcome
  if (outcome === 'cannot_say') return 'unknown'
  switch (outcome.result) {
    case 'approved':
    case 'declined':
      return outcome
    case 'pending':
      return 'unknown'
    case 'action':
      return { ...outcome, result: 'declined', statusCode: 'authentication_required' }
  }
}
