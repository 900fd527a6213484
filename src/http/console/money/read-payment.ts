import { answeredText, answeredTexts, objectsIn } from '../../../schema/answer-values.js'
import { digitsOfTime, timeOfId } from '../../../schema/id-time.js'
import type { JsonObject } from '../../../schema/json.js'
import type { Html } from '../../html/html.js'
import { type ConsoleAnswer, type ConsoleRequest, consoleAddress } from '../console-page.js'
import { activityOf } from '../lists/activity-list.js'
import { namesIn } from '../lists/value-context.js'
import { PAYOUTS } from './deposit-pages.js'

/** A transaction with all other objects that its page shows, as the core returned them. */
export interface ShownTransaction {
  readonly transaction: JsonObject
  /** Explanation by the API: the steps so far, the place of the money, and the actions that the state allows. */
  readonly explanation: JsonObject
  readonly attempts: readonly JsonObject[]
  /** Payment links with which the payer of a declined automatic payment can pay. */
  readonly payLinks: readonly JsonObject[]
  /** Activity of the transaction and of its refunds. */
  readonly activity: Html | undefined
  /** Names of operators and keys by their ids. */
  readonly names: ReadonlyMap<string, string>
}

/** Attributes of a transaction's page. */
const FIELDS =
  '*,conv_fee,authorized_amount,charged_by,period,gateway,gateway_id,auth_code,cvv_result,gateway_code,' +
  'accrued_fee,payment_link_id,ledger,receipts,customer[name],customer[email],processing[name]'

/** Milliseconds by which the times in two ids may differ, as the clocks of two processes do. */
const SKEW = 120_000

/** Maximum number of attempts that are shown. */
const MAX_ATTEMPTS = '50'

/** Maximum number of refunds whose activity is shown. */
const MAX_REFUNDS = 20

/**
 * Reads a transaction with its history. Returns a refusal if it cannot be read, and a redirect for a deposit or
 * reversal.
 */
export async function readTransaction(
  request: ConsoleRequest,
  id: string,
): Promise<ShownTransaction | ConsoleAnswer> {
  const answer = await request.ask('GET', `/transactions/${encodeURIComponent(id)}`, {
    query: [['fields', FIELDS]],
  })
  if (answer.status !== 200) return { kind: 'refused', answer }
  if (PAYOUTS.includes(answeredText(answer.body, 'type') ?? ''))
    return { kind: 'see', address: consoleAddress(request.visitor.environment, ['deposits', id]) }
  const explained = await request.ask('GET', '/admin/explain', { query: [['transaction_id', id]] })
  if (explained.status !== 200) return { kind: 'refused', answer: explained }
  const transaction = answer.body
  const refunds = objectsIn(transaction, 'ledger').flatMap(
    (entry) => answeredText(entry, 'assoc_transaction_id') ?? [],
  )
  // Attempts have no index by object. The lower bound skips attempts that are older than the transaction.
  const since = digitsOfTime(Math.max(timeOfId(id) - SKEW, 0))
  const logs = await request.ask('GET', '/webhook_logs', {
    query: [
      ['triggered_on[id]', id],
      ['id', `>${since}`],
      ['fields', '*,webhook[status]'],
      ['order_by', 'desc(created_at)'],
      ['limit', MAX_ATTEMPTS],
    ],
  })
  const payLinks = await request.ask('GET', '/payment_links', { query: [['failed_payment_id', id]] })
  const explanation = explained.body
  return {
    transaction,
    explanation,
    attempts: objectsIn(logs.body),
    payLinks: objectsIn(payLinks.body),
    activity: await activityOf(request, [id, ...refunds.slice(0, MAX_REFUNDS)].join('|')),
    names: await namesIn(
      request,
      objectsIn(explanation, 'steps').map(({ by = null }) => by),
    ),
  }
}

/** Whether the state of a transaction allows an action: `refund`, `void` or `capture`. */
export function allows(explanation: JsonObject, action: string): boolean {
  return answeredTexts(explanation, 'allows').includes(action)
}
