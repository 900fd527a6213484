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

/** Where an attribute's name leads: over related objects to a value. */
export interface QueryTarget {
  /** The relations crossed, each from the resource before it. */
  readonly steps: readonly { readonly field: OneField | ManyField; readonly resource: ResourceModel }[]
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
  /** An attribute of the plain objects of a list, any of them. */
  | {
      readonly kind: 'item'
      readonly path: readonly string[]
      readonly name: string
      readonly field: ValueField
    }
  /** A part of a date or datetime. */
  | { readonly kind: 'part'; readonly part: DatePart; readonly path: readonly string[] }

export type DatePart = 'year' | 'month' | 'day' | 'hour'

/** Finds the attribute of a name in bracket form; undefined when the resource has none. */
export function resolveTarget(resource: ResourceModel, name: readonly string[]): QueryTarget | undefined {
  return walk(resource.attributes, resource, expandName(resource, name), [])
}

/** A name at the top level that means an attribute of a group, as the declaration's shorthands say. */
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

/** A relation by its name alone is the attribute that holds its id, which says also that there is none. */
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

/** `list[0][attr]` means any item of the list, and `attr[0]=…&attr[1]=…` two filters on one attribute. */
function withoutIndexes(name: readonly string[]): readonly string[] {
  return /^\d*$/.test(name[0] ?? 'x') ? name.slice(1) : name
}

/** Whether a name leads through a list, so that one object has many values at its end. */
export function isManifold({ steps, end }: QueryTarget): boolean {
  return end.kind === 'item' || steps.some(({ field }) => field.kind === 'many')
}

/** What the values at the end of a name are. */
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

/** Whether values of the field have an order that `<` and `>` can ask for. */
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
