import type { ResourceModel } from '../../../model/resource-model.js'
import type { Row } from '../../../schema/columns.js'
import type { MoneyRule, MoneyVerb, MovesByOwner } from '../../../schema/moves.js'
import type { Input } from '../../../schema/types.js'
import { decideRule } from '../moves/money-verbs.js'
import type { LoggedWork } from './changed-rows.js'

/** A write of one object by a client or a rule, as far as its line of activity follows from it. */
export interface Deed {
  /** As `create transaction`; undefined where the occasion says it. */
  readonly action?: string
  readonly moves: MoneyRule
  /** Attribute that says how much. */
  readonly amountIn: string
  /** The validated input. */
  readonly input: Input
  /** Whether the object existed before. */
  readonly isStored: boolean
}

/** The deed of a generic operation. */
export function deedOf(
  { moves, name }: ResourceModel,
  operating: 'create' | 'update' | 'delete',
  input: Input,
): Deed {
  return {
    action: `${operating} ${name}`,
    moves: moves === 'nothing' ? 'nothing' : moves[operating],
    amountIn: 'amount',
    input,
    isStored: operating !== 'create',
  }
}

/** Verb and amount in minor units; both null where no money moves. */
export interface MoneyMoved {
  readonly verb: MoneyVerb | null
  readonly amount: number | null
}

export const NO_MONEY: MoneyMoved = { verb: null, amount: null }

/** What a deed did with money to an object, whose row is known as it was before, or otherwise as it is. */
export async function moneyMoved(
  work: LoggedWork,
  { moves, amountIn, input, isStored }: Deed,
  row: Row | undefined,
): Promise<MoneyMoved> {
  const rule = decideRule(moves, input, isStored)
  const verb = 'ownedBy' in rule ? await verbByOwner(work, rule, [input, row]) : rule[0]
  if (verb === undefined) return NO_MONEY
  const amount = input.amount ?? row?.[amountIn]
  return { verb, amount: typeof amount === 'number' ? amount : null }
}

/** The verb of a rule about owners: of the new one that is sent, or the stored one, if it existed before. */
async function verbByOwner(
  work: LoggedWork,
  { ownedBy, attribute, moves }: MovesByOwner,
  values: readonly (Input | Row | undefined)[],
): Promise<MoneyVerb | undefined> {
  for (const value of values) {
    const id = value?.[attribute]
    if (typeof id !== 'string' || work.hasInserted(id)) continue
    if (await work.findRow(work.model.get(ownedBy), id)) return moves
  }
  return undefined
}
