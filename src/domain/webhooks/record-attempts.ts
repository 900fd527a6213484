import type { Work } from '../../engine/core/write/work.js'
import { isAmong } from '../../engine/store/database/differences.js'
import { insertRows } from '../../engine/store/database/insert-rows.js'
import type { WebhookLogRow, WebhookRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import { tableColumnsOf } from '../../schema/columns.js'
import { principalOfOperator } from '../access/operators/operator-principal.js'
import type { AttemptAnswer } from './attempt.js'
import type { DeliveryClaim } from './claim-deliveries.js'
import type { DeliveryOutcome } from './delivery-outcome.js'

/** An attempt that was made, and the outcome of its delivery. */
export interface AttemptRecord {
  readonly claim: DeliveryClaim
  readonly answer: AttemptAnswer
  readonly outcome: DeliveryOutcome
}

const LOG_COLUMNS = tableColumnsOf(resources.webhook_log).map(({ name }) => name)

/** Records attempts, each with its log, in one unit of work. */
export async function recordAttempts(work: Work, attempts: readonly AttemptRecord[]): Promise<void> {
  const trusted = new TrustedMakers(work)
  const logs: WebhookLogRow[] = []
  for (const made of attempts) logs.push(logOf(work, made, await shownAnswer(trusted, made)))
  await insertRows(work.tx, 'webhook_logs', LOG_COLUMNS, logs)
  const delivered = attempts.filter(({ outcome }) => outcome.kind === 'delivered')
  for (const made of attempts) if (made.outcome.kind !== 'delivered') await keepTrying(work, made)
  if (delivered.length > 0) await markDelivered(work, delivered)
}

/**
 * Marks deliveries as delivered, even if the lease has ended: the receiver has the notification, whichever process
 * sent it.
 */
async function markDelivered({ tx }: Work, delivered: readonly AttemptRecord[]): Promise<void> {
  const ids = JSON.stringify(delivered.map(({ claim }) => claim.delivery.id))
  await tx.db
    .updateTable('deliveries')
    .set((eb) => ({
      waiting: null,
      due_at: null,
      lease: null,
      outcome: 'delivered' as const,
      attempts: eb('attempts', '+', 1),
    }))
    .where((eb) => isAmong(tx.dialect, eb.ref('id'), ids))
    .execute()
}

/** The one text for any failure at this machine: only the operator may learn how each of its ports answers. */
const FAILED_HERE =
  'Failed at an address of this machine; webhooks of keys with the permission manage show why'

/**
 * The one text for any address that is not public, and for names that resolve to one, so that it reveals no other
 * host.
 */
const REFUSED = 'Its address may not be reached, as it is not a public one'

/**
 * The part of an answer that the log shows. It must not reveal to a webhook's owner which other services listen in
 * this network.
 */
async function shownAnswer(
  trusted: TrustedMakers,
  { claim: { webhook }, answer, outcome }: AttemptRecord,
): Promise<AttemptAnswer> {
  const { isLocal = false, isRefused = false } = answer
  const isTelling = (isLocal || isRefused) && outcome.kind !== 'delivered'
  if (!isTelling || (await trusted.has(webhook.key_id))) return answer
  const hidden = { status: 0, problem: isLocal ? FAILED_HERE : REFUSED, body: '' }
  return answer.oauthStatus === undefined ? hidden : { ...hidden, oauthStatus: 0 }
}

/** Knows which makers of webhooks see every answer: owners, keys with the permission `manage`, and operators who have it. */
class TrustedMakers {
  private readonly known = new Map<string, boolean>()

  constructor(private readonly work: Work) {}

  async has(keyId: string | null): Promise<boolean> {
    if (keyId === null) return true
    const known = this.known.get(keyId) ?? (await this.manages(keyId))
    this.known.set(keyId, known)
    return known
  }

  private async manages(makerId: string): Promise<boolean> {
    const key = await this.work.find(resources.api_key, makerId)
    if (key) return key.manage === 1
    const operator = await this.work.find(resources.operator, makerId)
    return operator?.status === 'active' && principalOfOperator(operator).manage
  }
}

function logOf(
  work: Work,
  { claim: { delivery, event, webhook } }: AttemptRecord,
  answer: AttemptAnswer,
): WebhookLogRow {
  return {
    ...work.blank(resources.webhook_log),
    trigger: webhook.trigger,
    url: webhook.url,
    webhook_id: webhook.id,
    http_status: answer.status,
    oauth_status: answer.oauthStatus ?? null,
    triggered_on__id: event.object_id,
    triggered_on__object: event.object,
    triggered_on__value: event.value,
    event_id: event.id,
    attempt: delivery.attempts + 1,
    problem: answer.problem ?? null,
  }
}

/**
 * Schedules the next attempt after a failure, or ends the schedule, unless another process has claimed the delivery.
 */
async function keepTrying(work: Work, { claim, outcome }: AttemptRecord): Promise<void> {
  const { delivery, webhook } = claim
  const over = {
    waiting: null,
    due_at: null,
    outcome: outcome.kind === 'gone' ? 'dropped' : 'given_up',
  } as const
  const { numUpdatedRows } = await work.tx.db
    .updateTable('deliveries')
    .set({
      ...(outcome.kind === 'failed' ? { due_at: outcome.dueAt } : over),
      lease: null,
      attempts: delivery.attempts + 1,
    })
    .where('id', '=', delivery.id)
    .where('lease', '=', delivery.lease)
    .executeTakeFirst()
  if (outcome.kind === 'gone' && numUpdatedRows > 0n) await disable(work, webhook)
}

/**
 * Disables a webhook whose receiver is gone, unless the webhook was deleted or its address changed after the claim.
 */
async function disable(work: Work, { id, url }: WebhookRow): Promise<void> {
  const current = await work.lock(resources.webhook, id)
  if (current?.url === url) await work.change(resources.webhook, id, { status: 'disabled' })
}
