import { formatMoney, type Minor } from '../../../schema/money.js'
import { MIN_ROLE, type Role, reaches } from '../../../schema/role.js'
import { ApiError } from '../request/api-error.js'
import { isLimited } from '../request/principal.js'
import type { ApiRequest } from '../request/request.js'
import { amountOf, type Effect, type MoneyAction, type MoneySources } from './effect.js'
import { effectsOf } from './request-effects.js'

/** Money action as it counts toward the limits of an operator. */
export interface CountedAction {
  readonly verb: MoneyAction['verb']
  readonly amount: Minor
  /** Id of the object that holds the money, if it exists. */
  readonly id: string | undefined
}

/**
 * Judges a request by the role of its operator and the limit per request. Returns the actions that count
 * toward the daily limit, which is checked inside the unit of work. Rows of a batch are separate requests;
 * only their roles are judged here. Throws `Forbidden`.
 */
export async function judgeOperator(
  sources: MoneySources,
  request: ApiRequest,
  isByRows = false,
): Promise<readonly CountedAction[]> {
  const { role = 'viewer', limits } = request.principal
  const effects = await effectsOf(sources, request)
  for (const effect of effects) refuseRole(role, effect)
  if (isByRows || !isLimited(limits)) return []
  const counted: CountedAction[] = []
  for (const { of, moves } of effects)
    for (const action of moves) {
      // A change of a payment's data moves no money.
      if (action.verb === 'change') continue
      // The daily limit counts lines of activity, which contain only the main effect of a request.
      if (of !== effects[0]?.of)
        throw new ApiError(
          'Forbidden',
          `There is a limit of what may be moved, which counts /${of} only where it is sent by itself`,
        )
      counted.push(await countedAction(sources, action))
    }
  const sum = counted.reduce((total, { amount }) => total + amount, 0)
  const each = limits?.each ?? undefined
  if (each !== undefined && sum > each)
    throw new ApiError(
      'Forbidden',
      `The limit of a request is ${formatMoney(each)}, and this is ${formatMoney(sum)}`,
    )
  return counted
}

async function countedAction(sources: MoneySources, action: MoneyAction): Promise<CountedAction> {
  const { verb, stored } = action
  const amount = stored?.isAnyNumber ? undefined : await amountOf(sources, action)
  if (amount === undefined)
    throw new ApiError(
      'Forbidden',
      `There is a limit of what may be moved, and the amount of ${verb} is unknown`,
    )
  return { verb, amount: Math.abs(amount), id: stored?.id }
}

function refuseRole(role: Role, { of, least, moves }: Effect): void {
  if (!reaches(role, least)) throw needsRole(`/${of}`, least, role)
  for (const { verb } of moves) {
    const needed = verb === 'unknown' ? 'owner' : MIN_ROLE[verb]
    if (!reaches(role, needed))
      throw needsRole(verb === 'unknown' ? `/${of}` : `The verb ${verb}`, needed, role)
  }
}

function needsRole(what: string, needed: Role, role: Role): ApiError {
  return new ApiError('Forbidden', `${what} needs the role ${needed}; yours is ${role}`)
}
