import type { MoneyRule } from './moves.js'
import type { Resource } from './resource.js'

/** Kind of rows in a batch. */
export interface BatchKind {
  readonly resource: Resource
  /** Rule for the money that a row moves. */
  readonly moves: MoneyRule
  /** Attributes with fixed values, which are not columns. */
  readonly preset: Readonly<Record<string, string>>
  /**
   * Operation on the payment whose id is in the column `payment`, or update of the object in the column
   * `id`.
   */
  readonly about?: 'refund' | 'void' | 'update'
  /** Whether money goes to the payer; an amount below zero is then read as positive. */
  readonly isPaidOut?: true
  /** Columns besides `payment`; by default all attributes that can be set. */
  readonly columns?: readonly string[]
}
