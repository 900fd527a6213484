import type { ResourceModel } from '../../../model/resource-model.js'
import {
  type DerivedField,
  type Field,
  type Fields,
  isValueField,
  type JsonField,
  type ManyField,
  type OneField,
  type RowsField,
  type ValueField,
} from '../../../schema/field.js'

/** Target of an attribute's name: a value, possibly of a related object. */
export interface QueryTarget {
  /**
   * Relations that lead to the end, in order. Each begins at the resource to which the previous relation leads.
   */
  readonly steps: readonly { readonly field: OneField | ManyField; readonly resource: ResourceModel }[]
  readonly end: TargetEnd
}

export type TargetEnd =
  | { readonly kind: 'value'; readonly field: ValueField; readonly path: readonly string[] }
  /** Value computed from the row and the current time. */
  | { readonly kind: 'derived'; readonly field: DerivedField }
  /** Value that is the same for every object (`object`). */
  | { readonly kind: 'constant'; readonly value: string }
  /** Value inside a JSON column. */
  | { readonly kind: 'inside'; readonly path: readonly string[]; readonly keys: readonly string[] }
  /** Attribute of the plain objects in a list; any of them may match. */
  | {
      readonly kind: 'item'
      readonly path: readonly string[]
      readonly name: string
      readonly field: ValueField
    }
  /** Part of a date or datetime. */
  | { readonly kind: 'part'; readonly part: DatePart; readonly path: readonly string[] }

export type DatePart = 'year' | 'month' | 'day' | 'hour'

/** Finds the attribute of a name in bracket form; undefined if the resource has none. */
export function resolveTarget(resource: ResourceModel, name: readonly string[]): QueryTarget | undefined {
  return walk(resource.attributes, resource, expandName(resource, name), [])
}

/** Expands a shorthand at the top level, which means an attribute of a group, to the full name. */
function expandName(resource: ResourceModel, name: readonly string[]): readonly string[] {
  const [head = ''] = name
  const shorthand = resource.shorthands?.find(({ fields }) => fields.includes(head))
  return shorthand ? [shorthand.group, ...name] : name
}

function walk(
  fields: Fields,
  resource: ResourceModel,
  [head = '', ...rest]: readonly string[],
  path: readonly string[],
): QueryTarget | undefined {
  const field = Object.hasOwn(fields, head) ? fields[head] : undefined
  if (!field || field.transient) return undefined
  const here = [...path, head]
  switch (field.kind) {
    case 'group':
      return walk(field.fields, resource, rest, here)
    case 'address':
      return undefined
    case 'alias':
      return rest.length === 0 ? resolveTarget(resource, field.of) : undefined
    case 'derived':
      return rest.length === 0 ? { steps: [], end: { kind: 'derived', field } } : undefined
    case 'constant':
      return rest.length === 0 ? { steps: [], end: { kind: 'constant', value: field.value } } : undefined
    case 'one':
    case 'many':
      return ownReference(resource, field, here, rest) ?? across(resource, field, rest)
    case 'json':
    case 'rows':
      return inJson(field, here, rest)
    default:
      return withoutIndexes(rest).length === 0
        ? { steps: [], end: { kind: 'value', field, path: here } }
        : undefined
  }
}

/**
 * Target of a relation's name without an attribute: the column with the related object's id. A filter can
 * then test whether there is a related object.
 */
function ownReference(
  resource: ResourceModel,
  field: OneField | ManyField,
  [name, ...inner]: readonly string[],
  rest: readonly string[],
): QueryTarget | undefined {
  if (field.kind !== 'one' || field.by === name || inner.length + rest.length > 0) return undefined
  return walk(resource.attributes, resource, [field.by], [])
}

function across(
  { model }: ResourceModel,
  field: OneField | ManyField,
  rest: readonly string[],
): QueryTarget | undefined {
  const target = model.find(field.to)
  const name = field.kind === 'many' ? withoutIndexes(rest) : rest
  const found = target && resolveTarget(target, name.length === 0 ? ['id'] : name)
  return found && { steps: [{ field, resource: target }, ...found.steps], end: found.end }
}

function inJson(
  field: JsonField | RowsField,
  path: readonly string[],
  rest: readonly string[],
): QueryTarget | undefined {
  if (rest.length === 0) return { steps: [], end: { kind: 'value', field, path } }
  if (field.kind === 'json') return { steps: [], end: { kind: 'inside', path, keys: rest } }
  const [name = '', ...further] = withoutIndexes(rest)
  const inner = Object.hasOwn(field.fields, name) ? field.fields[name] : undefined
  if (!inner || !isValueField(inner) || withoutIndexes(further).length > 0) return undefined
  return { steps: [], end: { kind: 'item', path, name, field: inner } }
}

/**
 * Removes the index from a name: `list[0][attr]` means any item, and `attr[0]=…&attr[1]=…` are two filters
 * on one attribute.
 */
function withoutIndexes(name: readonly string[]): readonly string[] {
  return /^\d*$/.test(name[0] ?? 'x') ? name.slice(1) : name
}

/** Whether a name leads through a list, so that one object has many values at its end. */
export function isManifold({ steps, end }: QueryTarget): boolean {
  return end.kind === 'item' || steps.some(({ field }) => field.kind === 'many')
}

/** Kind of the values at the end of a name. */
export function fieldOf(end: TargetEnd): ValueField {
  switch (end.kind) {
    case 'value':
    case 'item':
      return end.field
    case 'derived':
      return { kind: 'one_of', values: end.field.values }
    case 'part':
      return { kind: 'integer' }
    case 'constant':
    case 'inside':
      return { kind: 'text', max: Number.POSITIVE_INFINITY }
  }
}

/** Whether values of the field can be compared with `<` and `>`. */
export function isOrdered(field: Field): boolean {
  switch (field.kind) {
    case 'secret':
    case 'flag':
    case 'json':
    case 'rows':
      return false
    default:
      return true
  }
}
