import { z } from 'zod'
import type { PlainFields } from '../../schema/admin-operation.js'
import type {
  Field,
  Fields,
  GroupField,
  JsonField,
  ManyField,
  OneField,
  RowsField,
} from '../../schema/field.js'
import { Problem } from '../../schema/problem.js'
import type { ScalarField } from '../../schema/read.js'
import type { ResourceModel, ResourceModels } from '../resource-model.js'
import {
  asImplied,
  type FieldContext,
  hasDefault,
  isFilled,
  isReadonlyOnCreate,
  listed,
  MAX_RELATED,
  MAX_ROWS,
  readJson,
  readScalar,
  storedDefault,
} from './field-input.js'
import { isBlank, relatedInput, type SentInput, sentInput, type ValidationOptions } from './sent-input.js'

/** Validates input of an object. Values are returned in stored form, secrets as plain digits or a mask. */
export function readInput(resource: ResourceModel, writing: ValidationOptions, value: unknown): ReadInput {
  return readSent(resource, sentInput(resource, writing, value))
}

/** Validates attributes that belong to no resource, by the rules for a new object. */
export function readPlainInput(fields: PlainFields, value: unknown): ReadInput {
  return plainSchema(fields).safeParse(value)
}

/** Validated attributes, or their problems. */
export type ReadInput = z.ZodSafeParseResult<unknown>

function readSent(resource: ResourceModel, { value, writing }: SentInput): ReadInput {
  return inputSchema(resource, writing).safeParse(value)
}

/**
 * Zod schema of a resource's input, nested objects included. On update, read-only attributes are accepted:
 * they may be sent back unchanged, and the engine compares them with the row.
 */
function inputSchema(resource: ResourceModel, writing: ValidationOptions): z.ZodType {
  const { mode, manage, presumes = false, parentAs = '', given = [] } = writing
  const way = `${mode} ${manage} ${presumes} ${parentAs} ${given.join()}`
  const known = resource.inputSchemas.get(way)
  if (known) return known
  const created = objectSchema(resource.attributes, { resource, writing, model: resource.model })
  resource.inputSchemas.set(way, created)
  return created
}

function plainSchema(fields: PlainFields): z.ZodType {
  const known = plainSchemas.get(fields)
  if (known) return known
  const created = objectSchema(fields, {
    resource: { ownership: [] },
    writing: { mode: 'create', manage: true },
  })
  plainSchemas.set(fields, created)
  return created
}
/** Schemas of plain fields. These fields are constants of the program, so there are few. */
const plainSchemas = new Map<PlainFields, z.ZodType>()

interface Context extends FieldContext {
  /** Resources that relations lead to; undefined for plain fields, which have no relations. */
  readonly model?: ResourceModels
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
  if (isReadonlyOnCreate(field, writing)) return refused('Read only', storedDefault(field))
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
      return jsonSchema(field)
    case 'rows':
      return rowsSchema(field, context)
    default:
      return valueSchema(asImplied(name, field, context), writing)
  }
}

/** Makes a schema that refuses any value. If there is a default, it is used for a missing value. */
function refused(message: string, instead: unknown): z.ZodType {
  const schema = z.transform((value, context) => {
    if (isBlank(value)) return instead
    context.addIssue(message)
    return z.NEVER
  })
  return instead === undefined ? schema.optional() : schema.prefault(null)
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
  const schema = objectSchema(field.fields, { ...context, isInGroup: true }).nullable()
  const filled = context.writing.mode === 'create' && hasDefault(field.fields)
  return filled ? z.preprocess((value) => value ?? {}, schema).prefault({}) : schema.optional()
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

function relatedSchema(field: OneField | ManyField, { model, writing }: Context): z.ZodType {
  return z.transform((value, context) => {
    const target = model?.find(field.to)
    if (!target) {
      context.addIssue('Unknown attribute')
      return z.NEVER
    }
    const result = readSent(target, relatedInput(field, target, writing, value))
    if (result.success) return result.data
    for (const issue of result.error.issues) context.addIssue({ ...issue })
    return z.NEVER
  })
}

function jsonSchema(field: JsonField): z.ZodType {
  return z.transform((value, context) => orIssue(readJson(field, value), context)).optional()
}

function rowsSchema(field: RowsField, context: Context): z.ZodType {
  const row = objectSchema(field.fields, { ...context, writing: { ...context.writing, mode: 'create' } })
  return z.preprocess(listed, listSchema(row, MAX_ROWS).nullable()).optional()
}

function listSchema(item: z.ZodType, most: number) {
  return z.array(item, { error: 'Must be a list' }).max(most, `Must have at most ${most} items`)
}

function valueSchema(field: ScalarField, writing: ValidationOptions): z.ZodType {
  const schema = z.transform((value, context) => orIssue(readScalar(field, writing, value), context))
  return isFilled(field, writing) ? schema.prefault(null) : schema.optional()
}

function orIssue(read: unknown, context: z.RefinementCtx): unknown {
  if (!(read instanceof Problem)) return read
  context.addIssue(read.message)
  return z.NEVER
}
