import { listed } from '../../../model/input/field-input.js'
import { isBlank } from '../../../model/input/sent-input.js'
import type { Fields, ManyField, OneField } from '../../../schema/field.js'
import { isObject, type Json, type JsonObject } from '../../../schema/json.js'
import type { ResourceMoves } from '../../../schema/moves.js'
import { attributesOf, type Method, type Resource } from '../../../schema/resource.js'
import type { Role } from '../../../schema/role.js'
import type { Effect, MoneySources, StoredAmount } from './effect.js'
import { type Owner, verbsByRule } from './money-verbs.js'

/** Place of an object that is created below another one. */
export interface NestedPlace {
  readonly owner?: Owner | undefined
  /** Minimum role for the relation; by default that of the resource. */
  readonly least?: Role | undefined
}

/** Effects of creating an object with its nested objects. */
export async function created(
  sources: MoneySources,
  resource: Resource,
  value: JsonObject,
  { owner, least = resource.least }: NestedPlace = {},
): Promise<Effect[]> {
  const verbs = await verbsByRule(sources, movesOf(resource).create, { value, owner })
  const moves = verbs.map((verb) => ({ verb, amount: value.amount }))
  return [{ of: resource.plural, least, moves }, ...(await nestedEffects(sources, resource, { value }))]
}

/**
 * Existing object that is changed or deleted. `stored` is given if filters select the object, instead of an
 * id.
 */
interface Changed {
  readonly method: Method
  readonly value: JsonObject
  readonly id?: Json | undefined
  readonly stored?: StoredAmount
}

export async function changed(
  sources: MoneySources,
  resource: Resource,
  { method, value, id: given, stored: matches }: Changed,
): Promise<Effect[]> {
  const id = typeof given === 'string' ? given.trim() : ''
  const stored = matches ?? itemOf(resource, id)
  const rule = method === 'DELETE' ? movesOf(resource).delete : movesOf(resource).update
  const verbs = await verbsByRule(sources, rule, { value, stored })
  const own = { of: resource.plural, least: resource.least, moves: verbs.map((verb) => ({ verb, stored })) }
  if (method === 'DELETE') return [own]
  return [own, ...(await nestedEffects(sources, resource, { value, id }))]
}

/** Attributes of an object, and its id if it exists. */
interface Tree {
  readonly value: JsonObject
  readonly id?: string | undefined
}

/** Effects of nested objects: those without an id are created, the others are changed. */
export async function nestedEffects(
  sources: MoneySources,
  resource: Resource,
  tree: Tree,
  fields: Fields = attributesOf(resource),
): Promise<Effect[]> {
  const effects: Effect[] = []
  for (const [name, value] of Object.entries(tree.value)) {
    if (typeof value !== 'object' || value === null) continue
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    switch (field?.kind) {
      case undefined:
        if (!isInShorthand(resource, name)) effects.push(unknownEffect(resource.plural))
        break
      case 'group':
        if (isObject(value))
          effects.push(...(await nestedEffects(sources, resource, { ...tree, value }, field.fields)))
        break
      case 'one':
      case 'many':
        effects.push(...(await relatedEffects(sources, field, value, { resource, id: tree.id })))
        break
      default:
    }
  }
  return effects
}

/**
 * Whether a name at the top level is a shorthand for an attribute of a group. Such attributes are never
 * related objects.
 */
function isInShorthand({ shorthands = [] }: Resource, name: string): boolean {
  return shorthands.some(({ fields }) => fields.includes(name))
}

async function relatedEffects(
  sources: MoneySources,
  field: OneField | ManyField,
  value: Json,
  owner: Owner,
): Promise<Effect[]> {
  const target = sources.model.find(field.to)
  const items: unknown = field.kind === 'many' ? listed(value) : [value]
  if (!target || !Array.isArray(items)) return [unknownEffect(field.to)]
  const place: NestedPlace = field.kind === 'many' ? { owner, least: field.least } : {}
  const preset = field.kind === 'many' ? field.preset : undefined
  const effects = await each(items.filter(isObject), async (item) => {
    const { id, object, ...attributes } = item
    if (isBlank(id)) return await created(sources, target, { ...preset, ...item }, place)
    if (Object.keys(attributes).length === 0) return []
    return await changed(sources, target, { method: 'PUT', value: item, id })
  })
  if (field.kind === 'one' || owner.id === undefined) return effects
  // Objects that are missing in the list of an existing object are deleted.
  const verbs = await verbsByRule(sources, movesOf(target).delete, { value: {}, owner })
  return [...effects, { of: target.plural, least: target.least, moves: verbs.map((verb) => ({ verb })) }]
}

/** Collects the effects of several values. */
export async function each(
  values: readonly JsonObject[],
  effectsOf: (value: JsonObject) => Promise<Effect[]>,
): Promise<Effect[]> {
  const effects: Effect[] = []
  for (const value of values) effects.push(...(await effectsOf(value)))
  return effects
}

/** Effect of a target that this version does not know: it may do anything. */
export function unknownEffect(of: string): Effect {
  return { of, least: 'owner', moves: [{ verb: 'unknown' }] }
}

function movesOf({ moves }: Resource): ResourceMoves {
  return moves === 'nothing' ? { create: 'nothing', update: 'nothing', delete: 'nothing' } : moves
}

export function hasAmount(resource: Resource): boolean {
  return attributesOf(resource).amount?.kind === 'money'
}

/** Request that reads an object. */
export function itemOf({ plural }: Resource, id: string): StoredAmount {
  return { path: `/${plural}/${encodeURIComponent(id)}`, id }
}
