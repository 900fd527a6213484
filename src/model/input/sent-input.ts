import type { ManyField, OneField } from '../../schema/field.js'
import type { Shorthand } from '../../schema/resource.js'
import { type Input, isTree } from '../../schema/types.js'
import type { ResourceModel } from '../resource-model.js'

/** Permissions of a caller, and the kind of write for which input is validated. */
export interface ValidationOptions {
  readonly mode: 'create' | 'update'
  /** Whether the caller holds the permission `manage`. */
  readonly manage: boolean
  /** Attribute with the parent's id, if the object's place in the tree already gives it. */
  readonly parentAs?: string
  /**
   * Whether the caller has only one processing account. A new object that names no account then belongs to
   * it.
   */
  readonly presumes?: boolean
  /** References that need not be sent, because the related object itself was sent. */
  readonly given?: readonly string[]
}

/** Input with each attribute at its declared place, and the options for its validation. */
export interface SentInput {
  readonly value: unknown
  readonly writing: ValidationOptions
}

/** Moves attributes to their declared place, if the declaration allows clients to write them elsewhere. */
export function sentInput(resource: ResourceModel, writing: ValidationOptions, value: unknown): SentInput {
  const sent = expandShorthands(resource, withoutMark(resource, value, writing.mode), writing.mode)
  const given = writing.mode === 'create' && isTree(sent) ? givenReferences(resource, sent) : []
  return { value: sent, writing: given.length > 0 ? { given, ...writing } : writing }
}

/**
 * Input of an object nested in another one. With an `id` an existing object is changed; without an `id`, or
 * with an empty one, an object is created. Only a created object gets the id of its parent from its place in
 * the input.
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

/** Drops the mark of a deleted object, which may be sent back as it was shown. */
function withoutMark(resource: ResourceModel, value: unknown, mode: ValidationOptions['mode']): unknown {
  if (mode === 'create' || !isTree(value) || !('deleted' in value) || 'deleted' in resource.fields)
    return value
  const { deleted, ...rest } = value
  return deleted === true || deleted === 'true' ? rest : value
}

/** Required references whose related object is sent: as a new object, or by its id. */
function givenReferences({ requiredRelations }: ResourceModel, value: Input): readonly string[] {
  return requiredRelations.filter(({ name }) => isTree(value[name])).map(({ field }) => field.by)
}

/**
 * Moves fields from the top level into their group, according to the declaration's shorthands. The group
 * that a new object's kind requires is always added. Its missing attributes are then reported together with
 * all other problems.
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

/** Whether a value is missing; forms send an empty text in that case. */
export function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}
