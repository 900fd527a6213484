import type { Chance } from '../../test/support/chance.js'

/** A payment, as it was in the answer to its request. */
export interface KnownPayment {
  readonly id: string
  readonly amount: number
  readonly status: string
  readonly processing: string
}

/** Objects that earlier operations created, for use in later ones. */
export class Known {
  readonly processing: string[] = []
  readonly customers: { readonly id: string; readonly processing: string }[] = []
  readonly methods: string[] = []
  readonly payments: KnownPayment[] = []
  readonly invoices: { readonly id: string; readonly processing: string; readonly customer: string }[] = []
  readonly schedules: string[] = []
  /** Disputes reported by the gateway. */
  readonly disputes: { readonly payment: string; readonly amount: number }[] = []
  /**
   * Attempted refunds and disputes of payments, including refused ones. `left` is what remains of the payment, in
   * cents.
   */
  readonly returns: {
    readonly payment: string
    readonly left: number
    readonly by: 'refund' | 'dispute'
  }[] = []
  /** Order numbers of payments that were requested with an idempotency key. Each acknowledged one must exist once. */
  readonly marks: { readonly mark: string; readonly isAcknowledged: boolean }[] = []

  /** A random element among the last 40 of a list; undefined for an empty list. */
  recent<T>(chance: Chance, list: readonly T[]): T | undefined {
    return chance.pick(list.slice(-40))
  }
}
