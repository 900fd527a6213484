import type { AdminOperation } from '../../../schema/admin-operation.js'
import type { Field, Fields } from '../../../schema/field.js'
import { fieldAt, fieldsOfGroup, singleValues } from '../../../schema/nested-fields.js'
import type { Registry } from '../../../schema/registry.js'
import { attributesOf, type Resource } from '../../../schema/resource.js'

/** Names of an attribute and of the groups around it. */
export type Path = readonly string[]

/** Declarations of the objects that an answer shows. */
export interface AnswerSchema {
  /** Paths of the attributes that a table shows; none for undeclared objects. */
  readonly columns: readonly Path[]
  /** Paths of all single values that are shown by default, including groups and nested objects. */
  readonly attributes: readonly Path[]
  /** Whether an object has so many attributes that they are shown in groups. */
  readonly isGrouped: boolean
  /** Whether a list consists of sentences: a table then wraps its texts instead of cutting them. */
  readonly isProse?: true
  /** The field at a path; undefined if not declared. A function of an attribute is a path of one name. */
  field(path: Path): Field | undefined
  /** Paths of the single values at a path: the path itself, or the values of a group or nested object. */
  unfold(path: Path): readonly Path[]
}

export function shapeOf(registry: Registry, resource: Resource): AnswerSchema {
  return shaped(registry, attributesOf(resource), { columns: resource.columns.map(pathOf), isGrouped: true })
}

/** Shape of an admin operation's answer. */
export function shapeOfAnswer(registry: Registry, { output }: AdminOperation): AnswerSchema {
  return shapeOfFields(registry, output)
}

/** Shape of undeclared objects. */
export const shapeless: AnswerSchema = {
  columns: [],
  attributes: [],
  isGrouped: false,
  field: () => undefined,
  unfold: (path) => [path],
}

/** Shape of rows of text that a command writes itself. */
export const prose: AnswerSchema = { ...shapeless, isProse: true }

/** Path of a name: `payment_method[card][expiry]` and `payment_method.card.expiry` are the same. */
export function pathOf(name: string): Path {
  return name.replaceAll(']', '').split(/[[.]/)
}

/** A path in the bracket form of the API. */
export function bracketed([first = '', ...rest]: Path): string {
  return first + rest.map((name) => `[${name}]`).join('')
}

/** Shape of objects with these attributes. */
export function shapeOfFields(registry: Registry, fields: Fields): AnswerSchema {
  return shaped(registry, fields, { columns: Object.keys(fields).map((name) => [name]), isGrouped: false })
}

/**
 * Shape of fields. Shapes are created when commands are loaded, so their rarely used parts are computed on
 * demand.
 */
function shaped(
  registry: Registry,
  fields: Fields,
  look: Pick<AnswerSchema, 'columns' | 'isGrouped'>,
): AnswerSchema {
  const field = (path: Path) => fieldAt(registry, fields, path) ?? fieldOfCall(registry, fields, path)
  return {
    ...look,
    get attributes() {
      return singleValues(registry, fields, [], 0)
    },
    field,
    unfold(path) {
      const found = field(path)
      const inner =
        found && holds(found) ? singleValues(registry, fieldsOfGroup(registry, found), path, 1) : []
      return inner.length > 0 ? inner : [path]
    },
  }
}

function holds({ kind }: Field): boolean {
  return kind === 'group' || kind === 'one'
}

/** Field of the result of a function call. */
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
