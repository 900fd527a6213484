import type { TransactionRow } from '../../engine/store/database/tables.js'

/** A deposit, a reversal or a bill that is complete, and how many transactions stand in it. */
export interface Made {
  readonly row: TransactionRow
  readonly transactions: number
}

/** Whom a run tells of its progress, after each unit of work. */
export interface Told {
  /** So many transactions were captured. */
  captured?(count: number): void
  /** So many more went into a deposit or a bill. */
  added?(count: number): void
  made?(batch: Made): void
}
