import { parseName } from '../schema/attribute-name.js'
import type { Fields } from '../schema/field.js'
import { isDeclared } from '../schema/registry.js'
import { isDefault } from '../schema/resource.js'
import type { ResourceModel, ResourceModels, Selection } from './resource-model.js'

type MutableSelection = Map<string, Selection | undefined>

interface ParsedSelection {
  readonly selection: Selection
  /** Names that are no attributes. */
  readonly unknown: readonly string[]
}

/**
 * Reads `fields`: names in bracket form; `*` means every default attribute, also inside an object
 * (`ledger[*]`). Spec: "Query parameters", `fields`.
 */
export function parseSelection(resource: ResourceModel, names: readonly string[]): ParsedSelection {
  const selection: MutableSelection = new Map()
  const unknown = names.filter((name) => {
    const path = parseName(name)
    return !path || !add(resource.attributes, resource, path, selection)
  })
  return { selection, unknown }
}

/** Default attributes among the fields. */
export function defaultSelectionOf(model: ResourceModels, fields: Fields): Selection {
  const shown = Object.entries(fields).filter(([, field]) => isDefault(field) && isDeclared(model, field))
  return new Map(shown.map(([name]) => [name, undefined]))
}

/** Adds a name to a selection. Returns whether there is such an attribute. */
function add(
  fields: Fields,
  resource: ResourceModel,
  [head = '', ...rest]: readonly string[],
  selection: MutableSelection,
): boolean {
  if (head === '*') {
    for (const name of defaultSelectionOf(resource.model, fields).keys())
      if (!selection.has(name)) selection.set(name, undefined)
    return rest.length === 0
  }
  const field = Object.hasOwn(fields, head) ? fields[head] : undefined
  if (!field || !isDeclared(resource.model, field)) return false
  if (rest.length === 0 || field.kind === 'json') {
    selection.set(head, undefined)
    return true
  }
  if (field.kind === 'group')
    return add(field.fields, resource, rest, innerOf(selection, head, resource, field.fields))
  if (field.kind !== 'one' && field.kind !== 'many') return false
  const target = resource.model.get(field.to)
  return add(target.attributes, target, rest, innerOf(selection, head, target, target.attributes))
}

/**
 * Selection inside an attribute, to which names can be added. It contains the earlier selection of that
 * attribute.
 */
function innerOf(
  selection: MutableSelection,
  name: string,
  { model }: ResourceModel,
  fields: Fields,
): MutableSelection {
  const before = selection.has(name) ? (selection.get(name) ?? defaultSelectionOf(model, fields)) : []
  const inner: MutableSelection = new Map(before)
  selection.set(name, inner)
  return inner
}
