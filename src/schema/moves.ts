/** The verbs of money. A profile may allow only some of them. */
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

/** The effect of a kind of request on money: none, fixed verbs, or verbs that follow from the object that is sent. */
export type MoneyRule =
  | 'nothing'
  | MoneyVerb
  | readonly MoneyVerb[]
  | MovesByValue
  | MovesByNaming
  | MovesByOwner

/** The value of an attribute decides. */
export interface MovesByValue {
  /** Path of the attribute. */
  readonly by: readonly string[]
  readonly is: { readonly [value: string]: MoneyRule }
  /** For every value that `is` does not name. */
  readonly otherwise: MoneyRule
  /** For an object without a value. */
  readonly unset: MoneyRule
}

/** Whether the object names another one decides. */
export interface MovesByNaming {
  /** Path of the attribute with the other one's id, through lists. */
  readonly naming: readonly string[]
  /** For an object that names one. */
  readonly moves: MoneyRule
  readonly otherwise: MoneyRule
}

/** Money moves only where an object that exists already owns this one, as a processing account owns its bank account. */
export interface MovesByOwner {
  /** Name of the owner's resource. */
  readonly ownedBy: string
  /** Attribute that holds the owner's id. */
  readonly attribute: string
  readonly moves: MoneyVerb
}

/** The effect of the generic operations of a resource on money; its attribute `amount` says how much. */
export interface ResourceMoves {
  readonly create: MoneyRule
  readonly update: MoneyRule
  readonly delete: MoneyRule
}
