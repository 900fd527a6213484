/** Verbs of money. A profile may allow only some of them. */
export const MONEY_VERBS = [
  'pay',
  'authorize',
  'capture',
  'void',
  'refund',
  'credit',
  'review',
  'change',
  'dispute',
  'redirect',
  'billing',
  'funding',
] as const

export type MoneyVerb = (typeof MONEY_VERBS)[number]

/** Verbs of requests whose amount is not known beforehand. */
export const VERBS_WITHOUT_AMOUNT: readonly string[] = [
  'redirect',
  'billing',
  'funding',
] satisfies MoneyVerb[]

/**
 * Effect of a kind of request on money: none, fixed verbs, or verbs that depend on the object that is sent.
 */
export type MoneyRule =
  | 'nothing'
  | MoneyVerb
  | readonly MoneyVerb[]
  | MovesByValue
  | MovesByNaming
  | MovesByOwner

/** Rule that depends on the value of an attribute. */
export interface MovesByValue {
  /** Path of the attribute. */
  readonly by: readonly string[]
  readonly is: { readonly [value: string]: MoneyRule }
  /** Rule for every value that `is` does not name. */
  readonly otherwise: MoneyRule
  /** Rule for an object without a value. */
  readonly unset: MoneyRule
}

/** Rule that depends on whether the object references another one. */
export interface MovesByNaming {
  /** Path of the attribute with the other object's id, possibly through lists. */
  readonly naming: readonly string[]
  /** Rule for an object that references another one. */
  readonly moves: MoneyRule
  readonly otherwise: MoneyRule
}

/**
 * Rule that depends on the owner: money moves only if an existing object owns this one, as a processing
 * account owns its bank account.
 */
export interface MovesByOwner {
  /** Name of the owner's resource. */
  readonly ownedBy: string
  /** Attribute with the owner's id. */
  readonly attribute: string
  readonly moves: MoneyVerb
}

/** Effects of the generic operations of a resource on money. The amount is in its attribute `amount`. */
export interface ResourceMoves {
  readonly create: MoneyRule
  readonly update: MoneyRule
  readonly delete: MoneyRule
}
