import type { Clock } from '../effects/clock.js'
import type { Answer, Outgoing } from '../effects/outgoing.js'
import type { Vault } from '../store/vault.js'
import type { Claim } from './claim.js'
import { notification } from './notification.js'
import { secretsOf } from './secret.js'
import { signedHeaders } from './signature.js'

/** What it takes to tell a receiver. */
export interface Telling {
  readonly http: Outgoing
  readonly vault: Vault
  readonly clock: Clock
  /** Milliseconds until an answer must have begun. */
  readonly timeout: number
}

/** Sends an event to a webhook's address, once. Never rejects; what went wrong stands in the answer. */
export async function attempt(
  { http, vault, clock, timeout }: Telling,
  { event, webhook }: Claim,
  stopping: AbortSignal,
): Promise<Answer> {
  const now = clock.now()
  const body = notification(event, webhook)
  const message = { id: event.id, timestamp: Math.floor(now / 1000), body }
  let signed: Record<string, string>
  try {
    signed = signedHeaders(secretsOf(webhook, vault, now), message)
  } catch (error) {
    return { status: 0, problem: error instanceof Error ? error.message : String(error), body: '' }
  }
  return await http.post({
    url: webhook.url ?? '',
    headers: { 'content-type': 'application/json', 'user-agent': 'payctl', ...signed },
    ...{ body, milliseconds: timeout, stopping },
  })
}
