import type { MoneyRule } from './moves.js'
import type { Resource } from './resource.js'

/** Kind of a row in a batch. */
export interface BatchKind {
  readonly resource: Resource
  /** What a row does with money. */
  readonly moves: MoneyRule
  /** Attributes with fixed values, which are not columns. */
  readonly preset: Readonly<Record<string, string>>
  /** Operation on a payment, whose id is in the column `payment`, or change of the object in the column `id`. */
  readonly about?: 'refund' | 'void' | 'update'
  /** Whether money goes to the payer: an amount below zero is then read as a positive one. */
  readonly isPaidOut?: true
  /** Columns besides `payment`; by default every attribute that can be set. */
  readonly columns?: readonly string[]
}
