import type { AdminOperation } from '../../../schema/admin-operation.js'
import type { Field, Fields } from '../../../schema/field.js'
import type { Registry } from '../../../schema/registry.js'
import { attributesOf, isDefault, type Resource } from '../../../schema/resource.js'

/** The names of an attribute and of the groups around it. */
export type Path = readonly string[]

/** What the terminal knows about the objects that it shows. */
export interface AnswerSchema {
  /** Paths of the attributes that a table shows; none for undeclared objects. */
  readonly columns: readonly Path[]
  /** Paths of all single values that are shown by default, including those of groups and nested objects. */
  readonly attributes: readonly Path[]
  /** Whether there are so many attributes that one object is shown in groups of them. */
  readonly isGrouped: boolean
  /** Whether a list of them is read as sentences: a table wraps its texts instead of cutting them. */
  readonly isProse?: true
  /** The field at a path; undefined when it is not declared. A function of an attribute is a path of one name. */
  field(path: Path): Field | undefined
  /** Paths of the single values at a path: the path itself, or those in a group or nested object. */
  unfold(path: Path): readonly Path[]
}

export function shapeOf(registry: Registry, resource: Resource): AnswerSchema {
  return shaped(registry, attributesOf(resource), { columns: resource.columns.map(pathOf), isGrouped: true })
}

/** The shape of an admin operation's answer. */
export function shapeOfAnswer(registry: Registry, { output }: AdminOperation): AnswerSchema {
  return shapeOfFields(registry, output)
}

/** The shape of undeclared objects. */
export const shapeless: AnswerSchema = {
  columns: [],
  attributes: [],
  isGrouped: false,
  field: () => undefined,
  unfold: (path) => [path],
}

/** The shape of what a command has to say by itself, in a few columns. */
export const prose: AnswerSchema = { ...shapeless, isProse: true }

/** `payment_method[card][expiry]` and `payment_method.card.expiry` are the same path. */
export function pathOf(name: string): Path {
  return name.replaceAll(']', '').split(/[[.]/)
}

/** A path in the interface's bracket form. */
export function bracketed([first = '', ...rest]: Path): string {
  return first + rest.map((name) => `[${name}]`).join('')
}

/** The shape of objects with these attributes. */
export function shapeOfFields(registry: Registry, fields: Fields): AnswerSchema {
  return shaped(registry, fields, { columns: Object.keys(fields).map((name) => [name]), isGrouped: false })
}

/** Shapes are made when commands are loaded; what only some commands need is computed on demand. */
function shaped(
  registry: Registry,
  fields: Fields,
  look: Pick<AnswerSchema, 'columns' | 'isGrouped'>,
): AnswerSchema {
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

/** The values of groups and nested objects, but not those of objects nested in these. */
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

/** The field that a function call results in. */
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
