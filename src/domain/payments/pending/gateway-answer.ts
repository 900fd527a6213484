import { type ApiError, unavailable } from '../../../engine/core/request/api-error.js'
import type { TransactionRow } from '../../../engine/store/database/tables.js'
import type { GatewayOutcome } from '../../../gateways/contract.js'
import type { StatusCode } from '../../../schema/status-codes.js'
import { refusalWords } from '../../gateways/circuit-words.js'

/** A gateway's answer about an operation. `never_seen`: the request did not arrive, so it had no effect. */
export type Answer = GatewayOutcome | 'never_seen'

/** The gateway's ids and codes for an operation, as columns, without its result; only those that it sent. */
export function factsOf(answer: Answer): Partial<TransactionRow> {
  if (answer === 'never_seen' || answer.result === 'not_sent' || answer.result === 'misconfigured') return {}
  const { gatewayId, code, cvv } = answer
  const { authCode, networkId, captureBefore } = answer.result === 'approved' ? answer : {}
  return {
    ...(gatewayId && { gateway_id: gatewayId }),
    ...(code && { gateway_code: code }),
    ...(cvv && { cvv_result: cvv }),
    ...(authCode && { auth_code: authCode }),
    ...(networkId && { network_id: networkId }),
    ...(captureBefore && { capture_before: captureBefore }),
  }
}

/** Refusal of a request that had no effect at the gateway; undefined for one that had. */
export function refusalOf(answer: Answer): ApiError | undefined {
  if (answer === 'never_seen') return undefined
  if (answer.result === 'not_sent')
    return answer.retryAfter === undefined
      ? unavailable('The gateway cannot be reached now; nothing happened', RETRY_AFTER.not_sent)
      : unavailable('The gateway takes no more requests for now; nothing happened', answer.retryAfter)
  if (answer.result === 'misconfigured')
    return unavailable(`${refusalWords(answer.scope)}; nothing happened`, RETRY_AFTER.misconfigured, {
      status_code: UNAVAILABLE.misconfigured,
    })
  return undefined
}

/** Seconds until a client may try again: a connection recovers sooner than an operator acts. */
const RETRY_AFTER = { not_sent: 30, misconfigured: 300 }

/** Status codes of declines without a request to the gateway: they fire no event and do not count as attempts. */
export const UNAVAILABLE = {
  not_sent: 'gateway_unavailable',
  misconfigured: 'gateway_misconfigured',
} as const satisfies Record<string, StatusCode>

/** Whether a code means that no gateway was reached. */
export function isUnavailable(statusCode: string): boolean {
  return Object.values<string>(UNAVAILABLE).includes(statusCode)
}
