import type { Work } from '../../../engine/core/write/work.js'
import type { TransactionRow } from '../../../engine/store/database/tables.js'
import type {
  ActionOutcome,
  FoundOutcome,
  GatewayOperation,
  RemoteGateway,
  SentAt,
} from '../../../gateways/contract.js'
import { resources } from '../../../resources/resource-table.js'
import { datetimeOf } from '../../../schema/datetime.js'
import { statusMessage } from '../../../schema/status-codes.js'
import { type Answer, factsOf } from './gateway-answer.js'

/** `status_code` of a payment whose payer must authenticate, or that was declined because the payer did not. */
export const AUTHENTICATION_REQUIRED = 'authentication_required'
/** Time in which a payer may authenticate: 30 minutes, in milliseconds. */
export const PATIENCE = 30 * 60_000

type Awaited = Pick<
  TransactionRow,
  'status' | 'status_code' | 'pending_operation' | 'next_action__expires_at'
>

/** Whether a payment waits for its payer to authenticate. */
export function isAwaitingPayer({ status, status_code: code, pending_operation: pending }: Awaited): boolean {
  return status === 'processing' && code === AUTHENTICATION_REQUIRED && pending !== null
}

/**
 * Whether the time to authenticate is over, or there is none because the payer cannot. The payment must then be
 * cancelled at the gateway.
 */
export function isWaitOver({ next_action__expires_at: end }: Awaited, now: string): boolean {
  return end === null || end <= now
}

/**
 * Records that the payer must authenticate. That is impossible if a schedule made the payment, or if the gateway
 * offers no page or fields. Returns whether the payment must be cancelled at the gateway now.
 */
export async function noteAction(work: Work, row: TransactionRow, answer: ActionOutcome): Promise<boolean> {
  const isPossible =
    row.automatic !== 1 && (answer.clientSecret !== undefined || answer.redirect !== undefined)
  if (isAwaitingPayer(row)) return isWaitOver(row, work.now)
  await work.change(resources.transaction, row.id, {
    ...factsOf(answer),
    status_code: AUTHENTICATION_REQUIRED,
    status_message: statusMessage(AUTHENTICATION_REQUIRED),
    next_action__expires_at: isPossible ? datetimeOf(work.milliseconds + PATIENCE) : null,
  })
  return !isPossible
}

/** Column values for a payment whose payer has authenticated, so that only the gateway's outcome is missing. */
export const AWAITED_NO_MORE = {
  status_code: null,
  status_message: statusMessage(null),
  next_action__expires_at: null,
} satisfies Partial<TransactionRow>

/**
 * The gateway's answer. A payment that was cancelled while it waited for its payer is declined with
 * `authentication_required`.
 */
export function answerForAwaited(row: Awaited, answer: Answer): Answer {
  const isCancelled =
    answer !== 'never_seen' && answer.result === 'declined' && answer.statusCode === 'voided'
  return isCancelled && isAwaitingPayer(row) ? { ...answer, statusCode: AUTHENTICATION_REQUIRED } : answer
}

/**
 * Cancels a payment at the gateway, so that its payer cannot complete it later. Returns the payment's outcome:
 * approved if the payment had succeeded before, `unknown` if the gateway confirms neither success nor cancellation.
 */
export async function outcomeOfCancelling(
  gateway: RemoteGateway,
  operation: GatewayOperation,
  sent: SentAt,
): Promise<Answer | 'unknown'> {
  if (!gateway.cancel) return { result: 'declined', statusCode: AUTHENTICATION_REQUIRED }
  try {
    return decided(await gateway.cancel(operation, sent))
  } catch {
    return 'unknown'
  }
}

function decided(found: FoundOutcome): Answer | 'unknown' {
  return typeof found === 'string' || found.result === 'action' ? 'unknown' : found
}
