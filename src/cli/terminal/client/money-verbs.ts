import { isBlank } from '../../../model/input/sent-input.js'
import type { Model } from '../../../model/model.js'
import type { MoneyRule, MoneyVerb } from '../../../schema/moves.js'
import type { Resource } from '../../../schema/resource.js'
import { valueAt } from '../input/body.js'
import type { JsonObject, QueryPair } from './client.js'

/** A GET request for an object, or for a list of them. */
export interface StoredAmount {
  readonly path: string
  readonly query?: readonly QueryPair[]
  /** Attribute of the amount; `amount` by default. */
  readonly amountIn?: string | undefined
}

/** The declarations and reads from which the money actions of a request are derived. */
export interface MoneySources {
  readonly model: Model
  /** An object or a list; undefined if it cannot be read. */
  read(path: string, query?: readonly QueryPair[]): Promise<JsonObject | undefined>
}

/** An object's owner as its place in a path or tree says it; without an id it is new. */
export interface Owner {
  readonly resource: Resource
  readonly id: string | undefined
}

/** The object to which a rule is applied. */
interface Judged {
  readonly value: JsonObject
  readonly owner?: Owner | undefined
  /** The object as it is, of one that is changed or deleted. */
  readonly stored?: StoredAmount
}

/** The verbs of a rule for an object that is sent; none where it moves no money. */
export async function verbsByRule(
  sources: MoneySources,
  rule: MoneyRule,
  judged: Judged,
): Promise<readonly MoneyVerb[]> {
  if (rule === 'nothing') return []
  if (typeof rule === 'string') return [rule]
  if ('by' in rule) {
    const value = valueAt(judged.value, rule.by)
    // A blank value of an object that exists unsets it.
    const isUnset = judged.stored ? value === undefined : isBlank(value)
    if (isUnset) return await verbsByRule(sources, rule.unset, judged)
    const known = typeof value === 'string' && Object.hasOwn(rule.is, value) ? rule.is[value] : undefined
    return await verbsByRule(sources, known ?? rule.otherwise, judged)
  }
  if (!('ownedBy' in rule)) return rule
  const { model } = sources
  const owner = model.get(rule.ownedBy)
  for (const id of await ownersOf(sources, rule.attribute, judged))
    if (await mayExist(sources, owner, id)) return [rule.moves]
  return []
}

/** The ids that may be an object's owner; an empty one where it cannot be found out. */
async function ownersOf(
  { read }: MoneySources,
  attribute: string,
  { value, owner, stored }: Judged,
): Promise<readonly string[]> {
  const given = [value[attribute], owner?.id].filter((id) => typeof id === 'string')
  if (!stored) return given
  const before = stored.query ? undefined : await read(stored.path)
  const id = before ? before[attribute] : ''
  return typeof id === 'string' ? [...given, id] : given
}

/** Whether there may be an object with an id: it is not known that there is none. */
async function mayExist({ read }: MoneySources, { plural }: Resource, id: string): Promise<boolean> {
  const query: QueryPair[] = [
    ['id', id],
    ['fields', 'id'],
  ]
  const found = id === '' ? undefined : await read(`/${plural}`, query)
  return !found || !Array.isArray(found.values) || found.values.length > 0
}
