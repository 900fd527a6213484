import type { AdminOperation } from '../../../schema/admin-operation.js'
import type { Field, Fields } from '../../../schema/field.js'
import type { Registry } from '../../../schema/registry.js'
import { attributesOf, isDefault, type Resource } from '../../../schema/resource.js'

/** The names that lead to an attribute. */
export type Path = readonly string[]

/** What a terminal knows of the objects it shows. */
export interface Shape {
  /** Paths of the attributes that a table shows; none where nothing is declared. */
  readonly columns: readonly Path[]
  /** Paths of all single values that are shown without being asked for, those of groups and nested objects included. */
  readonly attributes: readonly Path[]
  /** Whether there are so many attributes that one object is shown in groups of them. */
  readonly isGrouped: boolean
  /** The field at a path; nothing for what is not declared. A function of an attribute is a path of one name. */
  field(path: Path): Field | undefined
  /** Paths of the single values at a path: itself, or what a group or a nested object holds. */
  unfold(path: Path): readonly Path[]
}

export function shapeOf(registry: Registry, resource: Resource): Shape {
  return shaped(registry, attributesOf(resource), { columns: resource.columns.map(pathOf), isGrouped: true })
}

/** What an admin operation answers. */
export function shapeOfAnswer(registry: Registry, { output }: AdminOperation): Shape {
  return shapeOfFields(registry, output)
}

/** Objects of no declared resource. */
export const shapeless: Shape = {
  columns: [],
  attributes: [],
  isGrouped: false,
  field: () => undefined,
  unfold: (path) => [path],
}

/** `payment_method[card][expiry]` and `payment_method.card.expiry` are the same path. */
export function pathOf(name: string): Path {
  return name.replaceAll(']', '').split(/[[.]/)
}

/** A path in the interface's bracket form. */
export function bracketed([first = '', ...rest]: Path): string {
  return first + rest.map((name) => `[${name}]`).join('')
}

/** Objects that have these attributes. */
export function shapeOfFields(registry: Registry, fields: Fields): Shape {
  return shaped(registry, fields, { columns: Object.keys(fields).map((name) => [name]), isGrouped: false })
}

/** Shapes are made when commands are loaded, so that what only some of them need is found out late. */
function shaped(registry: Registry, fields: Fields, look: Pick<Shape, 'columns' | 'isGrouped'>): Shape {
  const field = (path: Path) => fieldAt(registry, fields, path) ?? fieldOfCall(registry, fields, path)
  return {
    ...look,
    get attributes() {
      return unfolded(registry, fields, [], 0)
    },
    field,
    unfold(path) {
      const found = field(path)
      const inner = found && holds(found) ? unfolded(registry, fieldsOfGroup(registry, found), path, 1) : []
      return inner.length > 0 ? inner : [path]
    },
  }
}

/** Nested objects are shown with their own values, but not with those of objects in them. */
function unfolded(registry: Registry, fields: Fields, path: Path, depth: number): readonly Path[] {
  return Object.entries(fields).flatMap(([name, field]): readonly Path[] => {
    const inner = [...path, name]
    if (!isDefault(field) || field.kind === 'constant') return []
    if (field.kind === 'group') return unfolded(registry, field.fields, inner, depth)
    if (field.kind !== 'one') return [inner]
    return depth > 0 ? [] : unfolded(registry, fieldsOfGroup(registry, field), inner, depth + 1)
  })
}

function holds({ kind }: Field): boolean {
  return kind === 'group' || kind === 'one'
}

/** What a function makes of its argument. */
function fieldOfCall(registry: Registry, fields: Fields, [name = '']: Path): Field | undefined {
  const [, word = '', argument = ''] = /^(\w+)\((.*)\)$/.exec(name) ?? []
  switch (word) {
    case 'sum':
    case 'avg':
    case 'min':
    case 'max':
      return fieldAt(registry, fields, pathOf(argument))
    case 'count':
    case 'year':
    case 'month':
    case 'day':
    case 'hour':
      return { kind: 'integer' }
    default:
      return undefined
  }
}

function fieldAt(registry: Registry, known: Fields, path: Path): Field | undefined {
  let fields = known
  let field: Field | undefined
  for (const name of path) {
    if (/^\d+$/.test(name)) continue
    field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (!field) return undefined
    fields = fieldsOfGroup(registry, field)
  }
  return field
}

function fieldsOfGroup(registry: Registry, field: Field): Fields {
  if (field.kind === 'group' || field.kind === 'rows') return field.fields
  if (field.kind !== 'one' && field.kind !== 'many') return {}
  const target = registry.find(field.to)
  return target ? attributesOf(target) : {}
}
