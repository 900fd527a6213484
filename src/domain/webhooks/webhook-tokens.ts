import { LRUCache } from 'lru-cache'
import type { WebhookRow } from '../../engine/store/database/tables.js'
import type { Vault } from '../../engine/store/vault/vault.js'
import type { Clock } from '../../platform/clock.js'
import type { Outgoing, OutgoingResponse, Post } from '../../platform/network/outgoing.js'
import { secretPlace } from './signing-secret.js'

/** The answer to the request for a token. */
export interface WebhookToken {
  /** HTTP status; 0 if no answer came. */
  readonly status: number
  /** The token; omitted if there is none. */
  readonly text?: string
  /** Reason why there is no token. */
  readonly problem?: string
  /** `isLocal`: the address of the token is on this machine. `isRefused`: connections to it are not allowed. */
  readonly isLocal?: boolean | undefined
  readonly isRefused?: boolean | undefined
  /** Milliseconds since 1970. */
  readonly until: number
}

const MAX_BYTES = 64 * 1024
/** Lifetime of a token in seconds: the default if its answer names none, and the maximum. */
const DEFAULT_SECONDS = 300
const MAX_SECONDS = 86_400
/** Seconds before the end of a token from which it is not used any more. */
const MARGIN = 30
/** Number of tokens that are cached; the least recently used one is fetched again. */
const MAX_TOKENS = 10_000

/** Cached tokens of webhooks with OAuth credentials (RFC 6749, 4.4), until they end. */
export class WebhookTokens {
  private readonly kept = new LRUCache<string, Promise<WebhookToken>>({ max: MAX_TOKENS })

  constructor(
    private readonly http: Outgoing,
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  /** A cached token that is still valid; undefined if there is none. */
  async known(webhook: WebhookRow): Promise<WebhookToken | undefined> {
    const token = await this.kept.get(keyOf(webhook))
    return token?.text !== undefined && token.until > this.clock.now() ? token : undefined
  }

  /**
   * A new token in place of `old`, shared by the attempts that need one at that time. Throws a `SealBroken` when the
   * client's secret cannot be opened.
   */
  async renew(
    webhook: WebhookRow,
    old: WebhookToken | undefined,
    bounds: Pick<Post, 'milliseconds' | 'stopping'>,
  ): Promise<WebhookToken> {
    const key = keyOf(webhook)
    const kept = this.kept.get(key)
    const known = await kept
    // Another attempt may have renewed the token while this one waited.
    if (kept !== this.kept.get(key)) return await this.renew(webhook, old, bounds)
    if (known?.text !== undefined && known !== old && known.until > this.clock.now()) return known
    const request = this.fetch(webhook, bounds)
    this.kept.set(key, request)
    try {
      return await request
    } catch (error) {
      this.kept.delete(key)
      throw error
    }
  }

  private async fetch(
    webhook: WebhookRow,
    bounds: Pick<Post, 'milliseconds' | 'stopping'>,
  ): Promise<WebhookToken> {
    const { oauth_token_url, oauth_client_id, sealed_oauth_secret } = webhook
    const secret = this.vault.open(sealed_oauth_secret ?? '', secretPlace('sealed_oauth_secret', webhook))
    const pair = [oauth_client_id ?? '', secret].map(encodeURIComponent).join(':')
    const answer = await this.http.post({
      ...bounds,
      url: oauth_token_url ?? '',
      headers: {
        authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
        'user-agent': 'payctl',
      },
      body: 'grant_type=client_credentials',
      bytes: MAX_BYTES,
    })
    return tokenIn(answer, this.clock.now())
  }
}

/** Key of the cache: another address, client or secret means another token. */
function keyOf({ id, url, oauth_token_url, oauth_client_id, sealed_oauth_secret }: WebhookRow): string {
  return JSON.stringify([id, url, oauth_token_url, oauth_client_id, sealed_oauth_secret])
}

function tokenIn({ isLocal, isRefused, ...answer }: OutgoingResponse, now: number): WebhookToken {
  return { ...tokenInAnswer(answer, now), isLocal, isRefused }
}

function tokenInAnswer({ status, problem, body }: OutgoingResponse, now: number): WebhookToken {
  if (status === 0) return { status, problem: `No token: ${problem}`, until: now }
  if (status < 200 || status >= 300) return { status, problem: `No token: ${status}`, until: now }
  const { access_token: text, expires_in: seconds } = objectIn(body)
  if (typeof text !== 'string' || !/^[\x21-\x7e]+$/.test(text))
    return { status, problem: 'No token: the answer holds none', until: now }
  const lasts = typeof seconds === 'number' && seconds > 0 ? Math.min(seconds, MAX_SECONDS) : DEFAULT_SECONDS
  return { status, text, until: now + (lasts - MARGIN) * 1000 }
}

function objectIn(body: string): { readonly access_token?: unknown; readonly expires_in?: unknown } {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    // A body that is not JSON counts as an answer without a token.
    return {}
  }
}
