import type { JsonObject } from '../../src/schema/json.js'

/** A payment as its client knows it; amounts in cents. */
export interface KnownPayment {
  readonly id: string
  readonly order: string
  readonly amount: number
  status: string
  /** Sum of the refunds acknowledged to this client. */
  refunded: number
}

export interface KnownRefund {
  readonly id: string
  readonly order: string
  readonly payment: string
  readonly amount: number
}

/**
 * A request that moves money, and how its answer is recorded. When repeated under the same key, the answer
 * must be equivalent.
 */
export interface MoneyRequest {
  readonly key: string
  readonly method: 'POST' | 'PUT'
  readonly path: string
  readonly body: JsonObject
  /** Records an acknowledged result. Throws for an impossible answer. */
  acknowledge(status: number, answer: JsonObject): void
}

/** All acknowledged results of clients, over all restarts. */
export class Known {
  readonly payments: KnownPayment[] = []
  readonly refunds: KnownRefund[] = []
  /** Payments that all clients refund in part. */
  readonly shared: KnownPayment[] = []
  /** Number of answers repeated from an earlier attempt. */
  replays = 0
  /** Number of refunds refused because they exceeded the balance. */
  refused = 0
}
