import type { Vault } from '../../engine/store/vault/vault.js'
import type { Clock } from '../../platform/clock.js'
import type { Outgoing, OutgoingResponse, Post } from '../../platform/network/outgoing.js'
import type { DeliveryClaim } from './claim-deliveries.js'
import { notification } from './notification.js'
import { signedHeaders } from './signature.js'
import { secretsOf } from './signing-secret.js'
import type { WebhookToken, WebhookTokens } from './webhook-tokens.js'

export interface AttemptDependencies {
  readonly http: Outgoing
  readonly vault: Vault
  readonly clock: Clock
  /** Milliseconds until an answer must have begun. */
  readonly timeout: number
}

/** Answer to an attempt. */
export interface AttemptAnswer extends OutgoingResponse {
  /** HTTP status of the answer to a request for a token; omitted if none was requested. */
  readonly oauthStatus?: number
}

type Bounds = Required<Pick<Post, 'milliseconds' | 'stopping'>>

/**
 * Sends an event to a webhook's address once, with a token if the webhook has credentials. If a cached token is
 * refused, sends it again with a new one. Never rejects; the answer holds the problem.
 */
export async function attempt(
  dependencies: AttemptDependencies,
  tokens: WebhookTokens,
  claim: DeliveryClaim,
  stopping: AbortSignal,
): Promise<AttemptAnswer> {
  const { clock, timeout } = dependencies
  const end = clock.now() + timeout
  const bounds = (): Bounds => ({ milliseconds: Math.max(end - clock.now(), 1), stopping })
  const { webhook, problem } = claim
  if (problem !== undefined) return { status: 0, problem: `Not sent: ${problem}`, body: '' }
  try {
    if (webhook.oauth_token_url === null) return await send(dependencies, claim, bounds())
    const known = await tokens.known(webhook)
    if (known) {
      const answer = await send(dependencies, claim, bounds(), known)
      if (answer.status !== 401) return answer
    }
    const token = await tokens.renew(webhook, known, bounds())
    if (token.text === undefined)
      return {
        status: 0,
        problem: token.problem ?? '',
        body: '',
        oauthStatus: token.status,
        isLocal: token.isLocal === true,
        isRefused: token.isRefused === true,
      }
    const answer = await send(dependencies, claim, bounds(), token)
    return {
      ...answer,
      oauthStatus: token.status,
      isLocal: answer.isLocal === true || token.isLocal === true,
    }
  } catch (error) {
    return { status: 0, problem: error instanceof Error ? error.message : String(error), body: '' }
  }
}

function send(
  { http, vault, clock }: AttemptDependencies,
  { event, webhook }: DeliveryClaim,
  bounds: Bounds,
  token?: WebhookToken,
): Promise<OutgoingResponse> {
  const now = clock.now()
  const body = notification(event, webhook)
  const message = { id: event.id, timestamp: Math.floor(now / 1000), body }
  const signed = signedHeaders(secretsOf(webhook, vault, now), message)
  const headers = token?.text === undefined ? signed : { authorization: `Bearer ${token.text}`, ...signed }
  return http.post({ url: webhook.url ?? '', headers, body, ...bounds })
}
