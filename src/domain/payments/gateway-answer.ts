import { type ApiError, unavailable } from '../../engine/core/request/api-error.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import type { GatewayOutcome } from '../../gateways/contract.js'

/** What the gateway says of an operation; `never_seen`: the request did not arrive, so nothing happened. */
export type Answer = GatewayOutcome | 'never_seen'

/** What a gateway calls an operation and says of it besides its result, as columns; only what it says. */
export function factsOf(answer: Answer): Partial<TransactionRow> {
  if (answer === 'never_seen' || answer.result === 'not_sent' || answer.result === 'misconfigured') return {}
  const { gatewayId, code, cvv } = answer
  const { authCode, networkId } = answer.result === 'approved' ? answer : {}
  return {
    ...(gatewayId && { gateway_id: gatewayId }),
    ...(code && { gateway_code: code }),
    ...(cvv && { cvv_result: cvv }),
    ...(authCode && { auth_code: authCode }),
    ...(networkId && { network_id: networkId }),
  }
}

/** Why a request is refused of which nothing happened at the gateway; nothing for what happened. */
export function refusalOf(answer: Answer): ApiError | undefined {
  if (answer === 'never_seen') return undefined
  if (answer.result === 'not_sent')
    return unavailable('The gateway cannot be reached now; nothing happened', RETRY_AFTER.not_sent)
  if (answer.result === 'misconfigured')
    return unavailable('The gateway refuses its credentials; nothing happened', RETRY_AFTER.misconfigured)
  return undefined
}

/** When a client may try again, in seconds: a connection comes back sooner than an operator. */
const RETRY_AFTER = { not_sent: 30, misconfigured: 300 }

/** Status codes of declines without a request to the gateway: they fire no event and do not count as attempts. */
export const UNAVAILABLE = {
  not_sent: 'gateway_unavailable',
  misconfigured: 'gateway_misconfigured',
} as const

/** Whether a code says that nothing could be asked. */
export function isUnavailable(statusCode: string): boolean {
  return Object.values<string>(UNAVAILABLE).includes(statusCode)
}
