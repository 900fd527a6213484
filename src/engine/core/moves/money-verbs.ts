import { listed } from '../../../model/input/field-input.js'
import { isBlank } from '../../../model/input/sent-input.js'
import { isObject, type JsonObject } from '../../../schema/json.js'
import type { MoneyRule, MoneyVerb, MovesByOwner, MovesByValue } from '../../../schema/moves.js'
import type { Resource } from '../../../schema/resource.js'
import { type Input, isTree } from '../../../schema/types.js'
import type { QueryPair } from '../request/request.js'
import type { MoneySources, StoredAmount } from './effect.js'

/** Owner of an object, known from its place in a path or tree; without an id the owner is new. */
export interface Owner {
  readonly resource: Resource
  readonly id: string | undefined
}

/** Object to which a rule is applied. */
interface Judged {
  readonly value: JsonObject
  readonly owner?: Owner | undefined
  /** Request that reads the object, if the request changes or deletes an existing object. */
  readonly stored?: StoredAmount
}

/** Verbs of a rule for an object that is sent; empty if it moves no money. */
export async function verbsByRule(
  sources: MoneySources,
  rule: MoneyRule,
  judged: Judged,
): Promise<readonly MoneyVerb[]> {
  const decided = decideRule(rule, judged.value, judged.stored !== undefined)
  if (!('ownedBy' in decided)) return decided
  const owner = sources.model.get(decided.ownedBy)
  for (const id of await ownersOf(sources, decided.attribute, judged))
    if (await mayExist(sources, owner, id)) return [decided.moves]
  return []
}

/**
 * Verbs of a rule, if the sent values decide. Otherwise the rule about owners, which is still to be decided.
 */
export function decideRule(
  rule: MoneyRule,
  value: JsonObject | Input,
  isStored: boolean,
): readonly MoneyVerb[] | MovesByOwner {
  if (rule === 'nothing') return []
  if (typeof rule === 'string') return [rule]
  if ('by' in rule) return decideRule(ruleByValue(rule, value, isStored), value, isStored)
  if ('naming' in rule)
    return decideRule(isNamed(value, rule.naming) ? rule.moves : rule.otherwise, value, isStored)
  return rule
}

/** Rule that applies to the deciding value. */
function ruleByValue(
  { by, is, otherwise, unset }: MovesByValue,
  object: JsonObject | Input,
  isStored: boolean,
): MoneyRule {
  const value = by.reduce<unknown>(
    (tree, name) => (isTree(tree) && Object.hasOwn(tree, name) ? tree[name] : undefined),
    object,
  )
  // A blank value unsets the attribute of an existing object.
  if (isStored ? value === undefined : isBlank(value)) return unset
  const known = typeof value === 'string' && Object.hasOwn(is, value) ? is[value] : undefined
  return known ?? otherwise
}

/** Whether a path, which may lead through lists, ends at a value that is not blank. */
function isNamed(value: unknown, [name, ...more]: readonly string[]): boolean {
  if (name === undefined) return !isBlank(value)
  const items: unknown = listed(value)
  const objects = Array.isArray(items) ? items.filter(isObject) : []
  return objects.some((object) => isNamed(Object.hasOwn(object, name) ? object[name] : undefined, more))
}

/** Possible ids of an object's owner; an empty id if the owner cannot be determined. */
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

/** Whether an object with an id may exist: false only if a read shows that there is none. */
async function mayExist({ read }: MoneySources, { plural }: Resource, id: string): Promise<boolean> {
  const query: QueryPair[] = [
    ['id', id],
    ['fields', 'id'],
  ]
  const found = id === '' ? undefined : await read(`/${plural}`, query)
  return !found || !Array.isArray(found.values) || found.values.length > 0
}
