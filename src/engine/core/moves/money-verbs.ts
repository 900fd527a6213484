import { listed } from '../../../model/input/field-input.js'
import { isBlank } from '../../../model/input/sent-input.js'
import { isObject, type JsonObject, valueAt } from '../../../schema/json.js'
import type { MoneyRule, MoneyVerb, MovesByValue } from '../../../schema/moves.js'
import type { Resource } from '../../../schema/resource.js'
import type { QueryPair } from '../request/request.js'
import type { MoneySources, StoredAmount } from './effect.js'

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
  if ('by' in rule) return await verbsByRule(sources, ruleByValue(rule, judged), judged)
  if ('naming' in rule) {
    const isNaming = isNamed(judged.value, rule.naming)
    return await verbsByRule(sources, isNaming ? rule.moves : rule.otherwise, judged)
  }
  if (!('ownedBy' in rule)) return rule
  const { model } = sources
  const owner = model.get(rule.ownedBy)
  for (const id of await ownersOf(sources, rule.attribute, judged))
    if (await mayExist(sources, owner, id)) return [rule.moves]
  return []
}

/** The rule for the value that decides. */
function ruleByValue(
  { by, is, otherwise, unset }: MovesByValue,
  { value: object, stored }: Judged,
): MoneyRule {
  const value = valueAt(object, by)
  // A blank value of an object that exists unsets it.
  if (stored ? value === undefined : isBlank(value)) return unset
  const known = typeof value === 'string' && Object.hasOwn(is, value) ? is[value] : undefined
  return known ?? otherwise
}

/** Whether a path, which may lead through lists, ends at a value. */
export function isNamed(value: unknown, [name, ...more]: readonly string[]): boolean {
  if (name === undefined) return !isBlank(value)
  const items: unknown = listed(value)
  const objects = Array.isArray(items) ? items.filter(isObject) : []
  return objects.some((object) => isNamed(Object.hasOwn(object, name) ? object[name] : undefined, more))
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
