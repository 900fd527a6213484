import type { ResourceModel } from '../../../model/resource-model.js'
import type { Row, Stored } from '../../../schema/columns.js'
import type { MoneyRule, MoneyVerb, MovesByValue } from '../../../schema/moves.js'
import type { Action } from '../../../schema/resource.js'
import { type Input, isTree } from '../../../schema/types.js'
import { isNamed } from '../moves/money-verbs.js'

/** What a request does to each of its objects, as far as money is concerned. */
export interface Deed {
  readonly moves: MoneyRule
  /** Attribute that says how much. */
  readonly amountIn: string
}

/** A generic operation on objects of a resource, or an action. */
export type Operating = 'create' | 'update' | 'delete' | Action

export function deedOf({ moves }: ResourceModel, operating: Operating): Deed {
  if (typeof operating !== 'string')
    return { moves: operating.moves, amountIn: operating.amountIn ?? 'amount' }
  return { moves: moves === 'nothing' ? 'nothing' : moves[operating], amountIn: 'amount' }
}

/** Verb and amount in minor units; both null where no money moves. */
export interface MoneyMoved {
  readonly verb: MoneyVerb | null
  readonly amount: number | null
}

/** What was done with money to an object, by the validated input and the object afterwards. */
export function moneyMoved(
  { moves, amountIn }: Deed,
  input: Input,
  after: Row | undefined,
  isOwned: (owner: string, attribute: string) => boolean,
): MoneyMoved {
  const verb = verbOf(moves, input, isOwned)
  return { verb, amount: verb && amountOf(input.amount ?? after?.[amountIn]) }
}

function verbOf(
  rule: MoneyRule,
  input: Input,
  isOwned: (owner: string, attribute: string) => boolean,
): MoneyVerb | null {
  if (rule === 'nothing') return null
  if (typeof rule === 'string') return rule
  if ('by' in rule) {
    return verbOf(ruleByValue(rule, input), input, isOwned)
  }
  if ('naming' in rule)
    return verbOf(isNamed(input, rule.naming) ? rule.moves : rule.otherwise, input, isOwned)
  if ('ownedBy' in rule) return isOwned(rule.ownedBy, rule.attribute) ? rule.moves : null
  return rule[0] ?? null
}

function ruleByValue({ by, is, otherwise, unset }: MovesByValue, input: Input): MoneyRule {
  const value = by.reduce<unknown>((tree, name) => (isTree(tree) ? tree[name] : undefined), input)
  if (value === undefined || value === null) return unset
  const known = typeof value === 'string' && Object.hasOwn(is, value) ? is[value] : undefined
  return known ?? otherwise
}

function amountOf(value: Input[string] | Stored | undefined): number | null {
  return typeof value === 'number' ? value : null
}
