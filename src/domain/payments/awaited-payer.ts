import type { Work } from '../../engine/core/write/work.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import type {
  ActionOutcome,
  FoundOutcome,
  GatewayOperation,
  RemoteGateway,
  SentAt,
} from '../../gateways/contract.js'
import { resources } from '../../resources/resource-table.js'
import { datetimeOf } from '../../schema/datetime.js'
import { type Answer, factsOf } from './gateway-answer.js'
import { statusMessage } from './status-codes.js'

/** `status_code` of a payment whose payer has to authenticate, and of one that was declined as that was not done. */
export const AUTHENTICATION_REQUIRED = 'authentication_required'
/** Milliseconds for which a payer may authenticate. */
export const PATIENCE = 30 * 60_000

type Awaited = Pick<
  TransactionRow,
  'status' | 'status_code' | 'pending_operation' | 'next_action__expires_at'
>

/** Whether a payment waits for its payer to authenticate. */
export function isAwaitingPayer({ status, status_code: code, pending_operation: pending }: Awaited): boolean {
  return status === 'processing' && code === AUTHENTICATION_REQUIRED && pending !== null
}

/** Whether a payment waits no longer, or waits for nobody, and is to be cancelled at the gateway. */
export function isWaitOver({ next_action__expires_at: end }: Awaited, now: string): boolean {
  return end === null || end <= now
}

/**
 * Records that the payer has to authenticate. Nobody can where the payment is due by a schedule, or where the rail
 * offers no way. Returns whether the payment is to be cancelled at the gateway now.
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

/** Columns of a payment that waits for its gateway alone from now on. */
export const AWAITED_NO_MORE = {
  status_code: null,
  status_message: statusMessage(null),
  next_action__expires_at: null,
} satisfies Partial<TransactionRow>

/** The answer about a payment: one that was cancelled as it waited for its payer was declined for that reason. */
export function answerForAwaited(row: Awaited, answer: Answer): Answer {
  const isCancelled =
    answer !== 'never_seen' && answer.result === 'declined' && answer.statusCode === 'voided'
  return isCancelled && isAwaitingPayer(row) ? { ...answer, statusCode: AUTHENTICATION_REQUIRED } : answer
}

/**
 * Outcome of a payment after it was cancelled at the gateway, so that its payer cannot complete it any more. A payment
 * that had succeeded before is approved. Unknown unless the gateway confirms one of both.
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
