import type { JsonObject } from '../../src/schema/json.js'

/** A payment as its client knows it. Amounts in cents. */
export interface KnownPayment {
  readonly id: string
  readonly order: string
  readonly amount: number
  status: string
  /** Sum of the refunds that this client was told of. */
  refunded: number
}

export interface KnownRefund {
  readonly id: string
  readonly order: string
  readonly payment: string
  readonly amount: number
}

/** One request that moves money, and what its answer means. Sent again under the same key, it must mean the same. */
export interface MoneyRequest {
  readonly key: string
  readonly method: 'POST' | 'PUT'
  readonly path: string
  readonly body: JsonObject
  /** Takes note of what was acknowledged. Throws on an answer that cannot be. */
  acknowledge(status: number, answer: JsonObject): void
}

/** Everything that clients were told, over all restarts. */
export class Known {
  readonly payments: KnownPayment[] = []
  readonly refunds: KnownRefund[] = []
  /** Payments that every client refunds parts of. */
  readonly shared: KnownPayment[] = []
  /** Answers that were those of an earlier try. */
  replays = 0
  /** Refunds that no longer fitted. */
  refused = 0
}
