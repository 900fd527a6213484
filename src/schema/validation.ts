import { z } from 'zod'
import type { PlainFields } from './admin-operation.js'
import { CARD_NUMBER_PROBLEM, hasCardNumber } from './card-data.js'
import type { Stored } from './columns.js'
import {
  type Field,
  type Fields,
  type GroupField,
  isValueField,
  type JsonField,
  type ManyField,
  type OneField,
  type RowsField,
} from './field.js'
import { jsonProblem } from './json-problem.js'
import { Problem } from './problem.js'
import { readValue, type ScalarField } from './read.js'
import type { Registry } from './registry.js'
import { attributesOf, destinationColumn, type Resource, type Shorthand } from './resource.js'
import { type Input, isTree } from './types.js'
import { isMask } from './wire.js'

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

/** The most objects of a list inside of an object: as many as one object is shown with. */
const MAX_RELATED = 10_000
/** The most plain objects of a list that is kept in the object itself. */
const MAX_ROWS = 1_000

/**
 * Validates what was sent for an object: its schema, once what the declaration lets clients write otherwise stands where
 * it is meant.
 */
export function readInput(
  registry: Registry,
  resource: Resource,
  writing: ValidationOptions,
  value: unknown,
) {
  const sent = expandShorthands(resource, withoutMark(resource, value, writing.mode), writing.mode)
  const given = writing.mode === 'create' && isTree(sent) ? givenReferences(resource, sent) : []
  return inputSchema(registry, resource, given.length > 0 ? { ...writing, given } : writing).safeParse(sent)
}

/** A nested object that is deleted says so, and may be sent back. */
function withoutMark(resource: Resource, value: unknown, mode: ValidationOptions['mode']): unknown {
  if (mode === 'create' || !isTree(value) || !('deleted' in value) || 'deleted' in resource.fields)
    return value
  const { deleted, ...rest } = value
  return deleted === true || deleted === 'true' ? rest : value
}

/** Required references whose related object is sent: to be created, or named by its id. */
function givenReferences(resource: Resource, value: Input): readonly string[] {
  const known = requiredReferences.get(resource) ?? requiredReferencesOf(resource)
  requiredReferences.set(resource, known)
  return known.filter(({ relation }) => isTree(value[relation])).map(({ by }) => by)
}
const requiredReferences = new WeakMap<
  Resource,
  readonly { readonly relation: string; readonly by: string }[]
>()

function requiredReferencesOf(resource: Resource) {
  const fields = attributesOf(resource)
  return Object.entries(fields).flatMap(([relation, field]) =>
    field.kind === 'one' && fields[field.by]?.required ? [{ relation, by: field.by }] : [],
  )
}

/**
 * The zod schema of a resource's input, nested objects included: values come out as they are stored (secrets as
 * plain digits or a mask). On update, read-only attributes pass: they may be sent back unchanged, which is the
 * engine's to judge, as it knows the row.
 */
function inputSchema(registry: Registry, resource: Resource, writing: ValidationOptions): z.ZodType {
  const byWriting = schemas.get(resource) ?? new Map<string, z.ZodType>()
  schemas.set(resource, byWriting)
  const { mode, manage, presumes = false, parentAs = '', given = [] } = writing
  const key = `${mode} ${manage} ${presumes} ${parentAs} ${given.join()}`
  const known = byWriting.get(key)
  if (known) return known
  const created = objectSchema(attributesOf(resource), { registry, resource, writing })
  byWriting.set(key, created)
  return created
}
const schemas = new WeakMap<Resource, Map<string, z.ZodType>>()

/** The zod schema of fields that belong to no resource, as `inputSchema` is that of one to be created. */
export function plainSchema(registry: Registry, fields: PlainFields): z.ZodType {
  const known = plainSchemas.get(fields)
  if (known) return known
  const created = objectSchema(fields, {
    registry,
    resource: { ownership: [] },
    writing: { mode: 'create', manage: true },
  })
  plainSchemas.set(fields, created)
  return created
}
const plainSchemas = new WeakMap<PlainFields, z.ZodType>()

interface Context {
  readonly registry: Registry
  readonly resource: Pick<Resource, 'view' | 'ownership'>
  readonly writing: ValidationOptions
}

function objectSchema(fields: Fields, context: Context): z.ZodType {
  const shape = Object.entries(fields).map(
    ([name, field]) => [name, fieldSchema(name, field, context)] as const,
  )
  return z.strictObject(Object.fromEntries(shape), { error: 'Must be an object' })
}

function fieldSchema(name: string, field: Field, context: Context): z.ZodType {
  const { resource, writing } = context
  const preset = writing.mode === 'create' ? resource.view?.where[name] : undefined
  if (preset !== undefined) return presetSchema(preset)
  if (name === writing.parentAs) return z.unknown().optional()
  if (writing.mode === 'create' && isReadonlyOnCreate(field, writing)) {
    return field.default === undefined
      ? refused('Read only')
      : refused('Read only', storedDefault(field, field.default))
  }
  switch (field.kind) {
    case 'constant':
      return z.custom((value) => isBlank(value) || value === field.value, `Must be ${field.value}`).optional()
    case 'alias':
    case 'derived':
    case 'address':
      return z.unknown().optional()
    case 'group':
      return groupSchema(field, context)
    case 'one':
      return singleSchema(field, context)
    case 'many':
      return z.preprocess(listed, listSchema(relatedSchema(field, context), MAX_RELATED)).optional()
    case 'json':
      return z.transform((value, refinement) => checkJson(field, value, refinement)).optional()
    case 'rows':
      return rowsSchema(field, context)
    default:
      return valueSchema(isImplied(name, context) ? { ...field, required: undefined } : field, writing)
  }
}

/** Whether an attribute need not be sent: a related object gives it, or only one processing account can be meant. */
function isImplied(name: string, { resource, writing }: Context): boolean {
  return writing.given?.includes(name) || (writing.presumes === true && name === destinationColumn(resource))
}

function isReadonlyOnCreate(field: Field, writing: ValidationOptions): boolean {
  if (field.kind === 'constant') return false
  if (field.manage || field.readonly === 'SessionPermission') return !writing.manage
  return field.readonly !== undefined && field.readonly !== 'update'
}

/** Nothing may be sent; the default stands. */
function refused(message: string, instead?: unknown): z.ZodType {
  return z
    .transform((value, context) => {
      if (isBlank(value)) return instead
      context.addIssue(message)
      return z.NEVER
    })
    .prefault(null)
}

function presetSchema(preset: string): z.ZodType {
  return z
    .transform((value, context) => {
      if (isBlank(value) || value === preset) return preset
      context.addIssue(`Must be one of: ${preset}`)
      return z.NEVER
    })
    .prefault(null)
}

function groupSchema(field: GroupField, context: Context): z.ZodType {
  const schema = objectSchema(field.fields, context).nullable()
  const filled = context.writing.mode === 'create' && hasDefault(field.fields)
  return filled ? z.preprocess((value) => value ?? {}, schema).prefault({}) : schema.optional()
}

function hasDefault(fields: Fields): boolean {
  return Object.values(fields).some((field) => field.default !== undefined)
}

function singleSchema(field: OneField, context: Context): z.ZodType {
  const { mode, parentAs } = context.writing
  const schema = relatedSchema(field, context)
  if (mode !== 'create' || !field.required || parentAs === field.by) return schema.nullable().optional()
  return z
    .unknown()
    .refine((value) => !isBlank(value), 'Required')
    .pipe(schema)
    .prefault(null)
}

/** A nested object: with an `id` an existing one is changed, without one it is created. */
function relatedSchema(field: OneField | ManyField, { registry, writing }: Context): z.ZodType {
  const [parentAs, preset] = field.kind === 'many' ? [field.by, field.preset] : []
  const isUpdate = writing.mode === 'update'
  return z.transform((value, context) => {
    const target = registry.find(field.to)
    if (!target) {
      context.addIssue('Unknown attribute')
      return z.NEVER
    }
    const isExisting = typeof value === 'object' && value !== null && 'id' in value
    const mode = isExisting || (field.kind === 'one' && field.inherits && isUpdate) ? 'update' : 'create'
    const sent = mode === 'create' && isTree(value) ? { ...preset, ...value } : value
    const result = readInput(registry, target, { ...writing, given: [], mode, parentAs }, sent)
    if (result.success) return result.data
    for (const issue of result.error.issues) context.addIssue({ ...issue })
    return z.NEVER
  })
}

function rowsSchema(field: RowsField, context: Context): z.ZodType {
  const row = objectSchema(field.fields, { ...context, writing: { ...context.writing, mode: 'create' } })
  return z.preprocess(listed, listSchema(row, MAX_ROWS).nullable()).optional()
}

function listSchema(item: z.ZodType, most: number) {
  return z.array(item, { error: 'Must be a list' }).max(most, `Must have at most ${most} items`)
}

function valueSchema(field: ScalarField, writing: ValidationOptions): z.ZodType {
  const isNew = writing.mode === 'create'
  const schema = z.transform((value, context) => {
    const read = isNew ? readNew(field, value) : readChange(field, value)
    const problem = read instanceof Problem ? read.message : cardDataProblem(field, read)
    if (problem === undefined) return read
    context.addIssue(problem)
    return z.NEVER
  })
  return isNew && (field.required || field.default !== undefined) ? schema.prefault(null) : schema.optional()
}

function readNew(field: ScalarField, value: unknown): Stored | Problem {
  const given = isBlank(value) ? (field.default ?? null) : value
  if (given !== null) return readValue(field, given)
  return field.required ? new Problem('Required') : null
}

function readChange(field: ScalarField, value: unknown): Stored | Problem {
  if (isBlank(value)) return field.required ? new Problem('Required') : null
  if (field.kind === 'secret' && isMask(value)) return value
  const read = readValue(field, value)
  return read instanceof Problem && field.readonly ? new Problem('Read only') : read
}

/** Card numbers belong in the fields that seal them: elsewhere they would be stored, shown and sent in clear. */
function cardDataProblem(field: ScalarField, value: unknown): string | undefined {
  if (field.transient || (field.kind !== 'text' && field.kind !== 'email')) return undefined
  return typeof value === 'string' && hasCardNumber(value) ? CARD_NUMBER_PROBLEM : undefined
}

function storedDefault(field: Field, value: unknown): unknown {
  if (!isValueField(field) || field.kind === 'json' || field.kind === 'rows') return value
  const stored = readValue(field, value)
  return stored instanceof Problem ? null : stored
}

function checkJson(field: JsonField, value: unknown, context: z.RefinementCtx): unknown {
  if (value === '') return null
  const problem = jsonProblem(value, { isKept: !field.transient })
  if (problem === undefined) return field.flags ? withFlags(value) : value
  context.addIssue(problem)
  return z.NEVER
}

function withFlags(value: unknown): unknown {
  if (value === 'true' || value === 'false') return value === 'true'
  if (Array.isArray(value)) return value.map(withFlags)
  if (!isTree(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withFlags(inner)]))
}

/** Forms write a list as `{"0": …}`, and one related object may stand for a list of one. */
function listed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const keys = Object.keys(value)
  return keys.length > 0 && keys.every((key) => /^\d+$/.test(key)) ? Object.values(value) : [value]
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

/**
 * Moves fields written at the top level into the group they mean, as the declaration's shorthands say. The group that
 * a new object's kind calls for is there, so that what it requires is named together with everything else.
 */
function expandShorthands(resource: Resource, value: unknown, mode: ValidationOptions['mode']): unknown {
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
