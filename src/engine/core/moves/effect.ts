import type { Model } from '../../../model/model.js'
import type { BatchKind } from '../../../schema/batch-kind.js'
import { isObject, type Json, type JsonObject } from '../../../schema/json.js'
import { amountIn, type Minor } from '../../../schema/money.js'
import type { MoneyVerb } from '../../../schema/moves.js'
import type { Role } from '../../../schema/role.js'
import type { QueryPair } from '../request/request.js'

/** Effect of a request: an object that it changes, or an operation that it runs. */
export interface Effect {
  /** Path of the resource or operation. */
  readonly of: string
  /** Minimum role for the change itself; the money that the change moves may require a higher role. */
  readonly least: Role
  /** Money that the effect moves: one action for each verb. */
  readonly moves: readonly MoneyAction[]
}

/** Money action of a request. */
export interface MoneyAction {
  /**
   * Verb; `unknown` if this version does not know the target of the request, which may therefore move
   * money.
   */
  readonly verb: MoneyVerb | 'unknown'
  /** Amount as the request gives it. */
  readonly amount?: Json | undefined
  /** Request that reads the amount of a stored object, or a list with the largest amount first. */
  readonly stored?: StoredAmount | undefined
}

/** GET request for an object, or for a list of them. */
export interface StoredAmount {
  readonly path: string
  /** Id of the object; omitted if the request reads a list. */
  readonly id?: string
  readonly query?: readonly QueryPair[]
  /** Attribute of the amount; `amount` by default. */
  readonly amountIn?: string | undefined
  /** Whether filters select the objects, so that the number of objects is not known. */
  readonly isAnyNumber?: true
}

/** Declarations and reads from which the effects of a request are derived. */
export interface MoneySources {
  readonly model: Model
  /** Kinds of batch rows, by name. */
  readonly batchKinds: ReadonlyMap<string, BatchKind>
  /** Reads an object or a list; undefined if it cannot be read. */
  read(path: string, query?: readonly QueryPair[]): Promise<JsonObject | undefined>
}

/**
 * Amount of an action: the given amount, else the amount of the stored object, or of the first object in a
 * list. Undefined if it is not known.
 */
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
