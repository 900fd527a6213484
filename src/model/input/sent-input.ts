import type { ManyField, OneField } from '../../schema/field.js'
import type { Shorthand } from '../../schema/resource.js'
import { type Input, isTree } from '../../schema/types.js'
import type { ResourceModel } from '../resource-model.js'

/** Who writes, and whether the object is new. */
export interface ValidationOptions {
  readonly mode: 'create' | 'update'
  /** Holds the permission `manage`. */
  readonly manage: boolean
  /** The attribute that names the parent, where the object's place in the parent's tree already says it. */
  readonly parentAs?: string
  /** Reaches one processing account only: what names none belongs to that one. */
  readonly presumes?: boolean
  /** References that the object's related objects give: they need not be sent as well. */
  readonly given?: readonly string[]
}

/** What was sent for an object, each attribute where it is meant, and as what it is to be validated. */
export interface SentInput {
  readonly value: unknown
  readonly writing: ValidationOptions
}

/** What the declaration lets clients write otherwise stands where it is meant afterwards. */
export function sentInput(resource: ResourceModel, writing: ValidationOptions, value: unknown): SentInput {
  const sent = expandShorthands(resource, withoutMark(resource, value, writing.mode), writing.mode)
  const given = writing.mode === 'create' && isTree(sent) ? givenReferences(resource, sent) : []
  return { value: sent, writing: given.length > 0 ? { given, ...writing } : writing }
}

/**
 * The same of an object inside of another one: with an `id` an existing one is changed; without one, or with an empty one,
 * it is created. Only what is created has its parent by its place.
 */
export function relatedInput(
  field: OneField | ManyField,
  target: ResourceModel,
  writing: ValidationOptions,
  value: unknown,
): SentInput {
  const isExisting = isTree(value) && !isBlank(value.id)
  const isUpdate = isExisting || (field.kind === 'one' && field.inherits && writing.mode === 'update')
  const mode = isUpdate ? 'update' : 'create'
  const [parentAs, preset] = field.kind === 'many' && mode === 'create' ? [field.by, field.preset] : []
  const sent = preset && isTree(value) ? { ...preset, ...value } : value
  const { manage, presumes } = writing
  return sentInput(target, { mode, manage, presumes, parentAs }, sent)
}

/** A nested object that is deleted says so, and may be sent back. */
function withoutMark(resource: ResourceModel, value: unknown, mode: ValidationOptions['mode']): unknown {
  if (mode === 'create' || !isTree(value) || !('deleted' in value) || 'deleted' in resource.fields)
    return value
  const { deleted, ...rest } = value
  return deleted === true || deleted === 'true' ? rest : value
}

/** Required references whose related object is sent: to be created, or named by its id. */
function givenReferences({ requiredRelations }: ResourceModel, value: Input): readonly string[] {
  return requiredRelations.filter(({ name }) => isTree(value[name])).map(({ field }) => field.by)
}

/**
 * Moves fields written at the top level into the group they mean, as the declaration's shorthands say. The group that
 * a new object's kind calls for is there, so that what it requires is named together with everything else.
 */
function expandShorthands(resource: ResourceModel, value: unknown, mode: ValidationOptions['mode']): unknown {
  if (!resource.shorthands || !isTree(value)) return value
  return resource.shorthands.reduce((sent, shorthand) => expandShorthand(sent, shorthand, mode), value)
}

function expandShorthand(
  value: Input,
  { group, when, fields, instead }: Shorthand,
  mode: ValidationOptions['mode'],
): Input {
  const kind = value[when.field]
  if (kind !== when.is && !isBlank(kind)) return value
  const moved = fields.filter((name) => name in value)
  const inner = value[group]
  const isReplaced = instead !== undefined && !isBlank(value[instead])
  const isCalledFor = mode === 'create' && kind === when.is && isBlank(inner) && !isReplaced
  if (moved.length === 0) return isCalledFor ? { ...value, [group]: {} } : value
  const rest = Object.fromEntries(Object.entries(value).filter(([name]) => !moved.includes(name)))
  const named = Object.fromEntries(moved.map((name) => [name, value[name]]))
  return { ...rest, [group]: { ...named, ...(isTree(inner) ? inner : {}) } }
}

/** Whether nothing was sent: forms write that as an empty text. */
export function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}
