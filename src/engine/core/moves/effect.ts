import type { Model } from '../../../model/model.js'
import type { BatchKind } from '../../../schema/batch-kind.js'
import { isObject, type Json, type JsonObject } from '../../../schema/json.js'
import { amountIn, type Minor } from '../../../schema/money.js'
import type { MoneyVerb } from '../../../schema/moves.js'
import type { Role } from '../../../schema/role.js'
import type { QueryPair } from '../request/request.js'

/** One effect of a request: an object that it changes, or an operation that it runs. */
export interface Effect {
  /** Path of the resource or operation. */
  readonly of: string
  /** The least role for the change itself; what it does with money may need a higher one. */
  readonly least: Role
  /** The money that it moves, one action for each verb. */
  readonly moves: readonly MoneyAction[]
}

/** A money action of a request. */
export interface MoneyAction {
  /** `unknown`: this version does not know what the request names, so that it may move money. */
  readonly verb: MoneyVerb | 'unknown'
  /** As the request gives it. */
  readonly amount?: Json | undefined
  /** The request that reads the amount of a stored object, or of a list with the largest amount first. */
  readonly stored?: StoredAmount | undefined
}

/** A GET request for an object, or for a list of them. */
export interface StoredAmount {
  readonly path: string
  /** Id of the one object. */
  readonly id?: string
  readonly query?: readonly QueryPair[]
  /** Attribute of the amount; `amount` by default. */
  readonly amountIn?: string | undefined
  /** Whether filters name the objects, so that there may be any number of them. */
  readonly isAnyNumber?: true
}

/** The declarations and reads from which the effects of a request are derived. */
export interface MoneySources {
  readonly model: Model
  /** The kinds of rows of a batch, by name. */
  readonly batchKinds: ReadonlyMap<string, BatchKind>
  /** An object or a list; undefined if it cannot be read. */
  read(path: string, query?: readonly QueryPair[]): Promise<JsonObject | undefined>
}

/** The amount of an action: the given one, else that of the object, or of the first one of a list. Undefined: unknown. */
export async function amountOf(
  { read }: Pick<MoneySources, 'read'>,
  { amount, stored }: MoneyAction,
): Promise<Minor | undefined> {
  const given = amountIn(amount)
  if (given !== undefined || !stored) return given
  const body = await read(stored.path, stored.query)
  const [first] = Array.isArray(body?.values) ? body.values : [body]
  return isObject(first) ? amountIn(first[stored.amountIn ?? 'amount']) : undefined
}
