import { LRUCache } from 'lru-cache'
import type { Field, Fields } from '../../../schema/field.js'
import { isDeclared, type Registry } from '../../../schema/registry.js'
import { attributesOf, isDefault, type Resource } from '../../../schema/resource.js'
import { parseName } from './name.js'

/** The attributes to show, in order; groups and related objects hold a selection of their own. */
export type Selection = ReadonlyMap<string, Selection | undefined>

type MutableSelection = Map<string, Selection | undefined>

/**
 * Reads `fields`: names in bracket form, `*` for every default attribute (also inside, `ledger[*]`). Without any,
 * the default attributes. Spec: "Query parameters", `fields`.
 */
export function parseSelection(
  registry: Registry,
  resource: Resource,
  names: readonly string[],
): ParsedSelection {
  const requested = names.map((name) => name.trim()).filter((name) => name !== '')
  if (requested.length === 0) return { selection: defaultSelection(registry, resource), unknown: [] }
  const known = parsed.get(resource) ?? new LRUCache<string, ParsedSelection>({ max: MAX_PARSED })
  parsed.set(resource, known)
  const key = JSON.stringify(requested)
  const created = known.get(key) ?? parseNames(registry, resource, requested)
  if (created.unknown.length === 0) known.set(key, created)
  return created
}

interface ParsedSelection {
  readonly selection: Selection
  readonly unknown: readonly string[]
}

/** Clients ask for the same again and again, and what is made of a selection, to show rows by it, is kept with it. */
const parsed = new WeakMap<Resource, LRUCache<string, ParsedSelection>>()
const MAX_PARSED = 20

function parseNames(registry: Registry, resource: Resource, requested: readonly string[]): ParsedSelection {
  const selection: MutableSelection = new Map()
  const unknown = requested.filter((name) => {
    const path = parseName(name)
    return !path || !add(registry, attributesOf(resource), resource, path, selection)
  })
  return { selection, unknown }
}

/** The default attributes of a resource, nested single objects included. */
function defaultSelection(registry: Registry, resource: Resource): Selection {
  const known = defaults.get(resource)
  if (known) return known
  const created = defaultsOf(registry, attributesOf(resource))
  defaults.set(resource, created)
  defaultSelections.add(created)
  return created
}
const defaults = new WeakMap<Resource, Selection>()
const defaultSelections = new WeakSet<Selection>()

function defaultsOf(registry: Registry, fields: Fields): Selection {
  const shown = Object.entries(fields).filter(([, field]) => isDefault(field) && isDeclared(registry, field))
  return new Map(shown.map(([name, field]) => [name, innerDefaults(registry, field)]))
}

/** Whether it is what a resource shows where nothing else is asked for. */
export function isDefaultSelection(selection: Selection): boolean {
  return defaultSelections.has(selection)
}

/** The names that ask for a selection again; none for the default attributes of a resource. */
export function fieldsOfSelection(selection: Selection): readonly string[] {
  if (isDefaultSelection(selection)) return []
  return [namesOf(selection, '').join()]
}

function namesOf(selection: Selection, group: string): string[] {
  return [...selection].flatMap(([name, inner]) => {
    const written = group === '' ? name : `${group}[${name}]`
    return !inner || isDefaultSelection(inner) ? [written] : namesOf(inner, written)
  })
}

function innerDefaults(registry: Registry, field: Field): Selection | undefined {
  switch (field.kind) {
    case 'group':
      return defaultsOf(registry, field.fields)
    case 'one':
    case 'many':
      return defaultSelection(registry, registry.get(field.to))
    default:
      return undefined
  }
}

function add(
  registry: Registry,
  fields: Fields,
  resource: Resource,
  [head = '', ...rest]: readonly string[],
  selection: MutableSelection,
): boolean {
  if (head === '*') {
    for (const [name, inner] of defaultsOf(registry, fields))
      if (!selection.has(name)) selection.set(name, inner)
    return rest.length === 0
  }
  const field = Object.hasOwn(fields, head) ? fields[head] : undefined
  if (!field || !isDeclared(registry, field)) return false
  if (field.kind !== 'group' && field.kind !== 'one' && field.kind !== 'many') {
    selection.set(head, undefined)
    return rest.length === 0 || field.kind === 'json'
  }
  if (rest.length === 0) {
    selection.set(head, innerDefaults(registry, field))
    return true
  }
  const inner: MutableSelection = new Map(selection.get(head))
  selection.set(head, inner)
  if (field.kind === 'group') return add(registry, field.fields, resource, rest, inner)
  const target = registry.get(field.to)
  return add(registry, attributesOf(target), target, rest, inner)
}
