import type { DerivedField, Field, Fields, ManyField, OneField, ValueField } from '../../schema/field.js'
import type { Registry } from '../../schema/registry.js'
import { attributesOf, type Resource } from '../../schema/resource.js'

/** Where an attribute's name leads: over related objects to a value. */
export interface Target {
  /** The relations crossed, each from the resource before it. */
  readonly steps: readonly { readonly field: OneField | ManyField; readonly resource: Resource }[]
  readonly end: TargetEnd
}

export type TargetEnd =
  | { readonly kind: 'value'; readonly field: ValueField; readonly path: readonly string[] }
  /** Follows from the row and from now. */
  | { readonly kind: 'derived'; readonly field: DerivedField }
  /** The same for every object (`object`). */
  | { readonly kind: 'constant'; readonly value: string }
  /** Inside a JSON column. */
  | { readonly kind: 'inside'; readonly path: readonly string[]; readonly keys: readonly string[] }

/** Finds what a name in bracket form means; nothing when the resource has no such attribute. */
export function resolveTarget(
  registry: Registry,
  resource: Resource,
  name: readonly string[],
): Target | undefined {
  return walk(registry, attributesOf(resource), resource, name, [])
}

function walk(
  registry: Registry,
  fields: Fields,
  resource: Resource,
  [head = '', ...rest]: readonly string[],
  path: readonly string[],
): Target | undefined {
  const field = Object.hasOwn(fields, head) ? fields[head] : undefined
  if (!field || field.transient) return undefined
  const here = [...path, head]
  switch (field.kind) {
    case 'group':
      return walk(registry, field.fields, resource, rest, here)
    case 'alias':
      return rest.length === 0 ? resolveTarget(registry, resource, field.of) : undefined
    case 'derived':
      return rest.length === 0 ? { steps: [], end: { kind: 'derived', field } } : undefined
    case 'constant':
      return rest.length === 0 ? { steps: [], end: { kind: 'constant', value: field.value } } : undefined
    case 'one':
    case 'many':
      return across(registry, field, rest)
    case 'json':
    case 'rows':
      return rest.length > 0
        ? { steps: [], end: { kind: 'inside', path: here, keys: rest } }
        : { steps: [], end: { kind: 'value', field, path: here } }
    default:
      return withoutIndexes(rest).length === 0
        ? { steps: [], end: { kind: 'value', field, path: here } }
        : undefined
  }
}

function across(
  registry: Registry,
  field: OneField | ManyField,
  rest: readonly string[],
): Target | undefined {
  const target = registry.find(field.to)
  const name = field.kind === 'many' ? withoutIndexes(rest) : rest
  const found = target && resolveTarget(registry, target, name.length === 0 ? ['id'] : name)
  return found && { steps: [{ field, resource: target }, ...found.steps], end: found.end }
}

/** `list[0][attr]` means any item of the list, and `attr[0]=…&attr[1]=…` one attribute asked twice. */
function withoutIndexes(name: readonly string[]): readonly string[] {
  return /^\d*$/.test(name[0] ?? 'x') ? name.slice(1) : name
}

/** Whether values of the field have an order that `<` and `>` can ask for. */
export function isOrdered(field: Field): boolean {
  switch (field.kind) {
    case 'secret':
    case 'expiry':
    case 'flag':
    case 'json':
    case 'rows':
      return false
    default:
      return true
  }
}
