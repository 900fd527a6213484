import type { Chance } from '../../test/support/chance.js'

/** A payment that was acknowledged, as its answer said. */
export interface KnownPayment {
  readonly id: string
  readonly amount: number
  readonly status: string
  readonly processing: string
}

/** What the operators have seen of the service so far. */
export class Known {
  readonly processing: string[] = []
  readonly customers: { readonly id: string; readonly processing: string }[] = []
  readonly methods: string[] = []
  readonly payments: KnownPayment[] = []
  readonly invoices: { readonly id: string; readonly processing: string; readonly customer: string }[] = []
  readonly schedules: string[] = []
  /** Disputes that the gateway told of. */
  readonly disputes: { readonly payment: string; readonly amount: number }[] = []
  /** What went back of a payment, or was meant to, and how many cents that left of it. */
  readonly returns: {
    readonly payment: string
    readonly left: number
    readonly by: 'refund' | 'dispute'
  }[] = []
  /** What was asked under an idempotency key, so that it must be there once: the mark that it carries. */
  readonly marks: { readonly mark: string; readonly isAcknowledged: boolean }[] = []

  /** A recent one more often than an old one. */
  recent<T>(chance: Chance, list: readonly T[]): T | undefined {
    return chance.pick(list.slice(-40))
  }
}
