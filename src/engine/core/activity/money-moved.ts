import type { ResourceModel } from '../../../model/resource-model.js'
import type { Row } from '../../../schema/columns.js'
import type { MoneyRule, MoneyVerb, MovesByOwner } from '../../../schema/moves.js'
import type { Input } from '../../../schema/types.js'
import { decideRule } from '../moves/money-verbs.js'
import type { LoggedWork } from './changed-rows.js'

/** Write of one object by a client or a rule, with the information for its line of activity. */
export interface Deed {
  /** Action such as `create transaction`; undefined if the occasion gives the action. */
  readonly action?: string
  readonly moves: MoneyRule
  /** Attribute that contains the amount. */
  readonly amountIn: string
  /** Validated input of the write. */
  readonly input: Input
  /** Whether the object existed before. */
  readonly isStored: boolean
}

/** Deed of a generic operation. */
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

/** Verb and amount (minor units) of moved money; both null if none was moved. */
export interface MoneyMoved {
  readonly verb: MoneyVerb | null
  readonly amount: number | null
}

export const NO_MONEY: MoneyMoved = { verb: null, amount: null }

/**
 * Money that a deed has moved. `row` is the object before the deed; after it if the earlier state is not
 * known.
 */
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

/** Verb of a rule about owners, if the owner (sent or stored) existed before; otherwise undefined. */
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
