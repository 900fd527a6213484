import { CARD_NUMBER_PROBLEM, hasCardNumber } from '../../schema/card-data.js'
import type { Stored } from '../../schema/columns.js'
import { type Field, type Fields, isValueField, type JsonField } from '../../schema/field.js'
import { jsonProblem } from '../../schema/json-problem.js'
import { Problem } from '../../schema/problem.js'
import { readValue, type ScalarField } from '../../schema/read.js'
import { destinationColumn, type Resource } from '../../schema/resource.js'
import { type Input, isTree } from '../../schema/types.js'
import { isMask } from '../../schema/wire.js'
import { isBlank, type ValidationOptions } from './sent-input.js'

/** Object and kind of write for which a field is validated. */
export interface FieldContext {
  readonly resource: Pick<Resource, 'view' | 'ownership'>
  readonly writing: ValidationOptions
  /** Whether the field is in a group. */
  readonly isInGroup?: boolean
}

/** Maximum number of objects in a nested list: as many as one object shows. */
export const MAX_RELATED = 10_000
/** Maximum number of plain objects in a list that is stored in the object itself. */
export const MAX_ROWS = 1_000

/**
 * Value of an attribute in stored form; a `Problem` if it is invalid. On update, read-only attributes are
 * accepted, because the engine compares them with the row.
 */
export function readScalar(
  field: ScalarField,
  { mode, manage }: ValidationOptions,
  value: unknown,
): Stored | Problem {
  const read = mode === 'create' ? readNew(field, value) : readChange(field, manage, value)
  return isCardData(field, read) ? new Problem(CARD_NUMBER_PROBLEM) : read
}

function readNew(field: ScalarField, value: unknown): Stored | Problem {
  const given = isBlank(value) ? (field.default ?? null) : value
  if (given !== null) return readValue(field, given)
  return field.required ? new Problem('Required') : null
}

function readChange(field: ScalarField, manage: boolean, value: unknown): Stored | Problem {
  if (isBlank(value)) return field.required ? new Problem('Required') : null
  if (field.kind === 'secret' && isMask(value)) return value
  const read = readValue(field, value)
  return read instanceof Problem && isReadonlyFor(field, manage) ? new Problem('Read only') : read
}

/** Whether a caller may not change an attribute of an object that exists. */
export function isReadonlyFor(field: Field, manage: boolean): boolean {
  if (field.manage || field.readonly === 'SessionPermission') return !manage
  return field.readonly !== undefined
}

/**
 * Whether a value is a card number in a field that does not encrypt. It would be stored, shown and sent in
 * plain text.
 */
function isCardData(field: ScalarField, value: unknown): boolean {
  if (field.transient || (field.kind !== 'text' && field.kind !== 'email')) return false
  return typeof value === 'string' && hasCardNumber(value)
}

/** JSON value; a `Problem` if it is invalid. Limits apply to values that are stored. */
export function readJson(field: JsonField, value: unknown): unknown {
  if (value === '') return null
  const problem = jsonProblem(value, { isKept: !field.transient, max: field.max })
  if (problem !== undefined) return new Problem(problem)
  return field.flags ? withFlags(value) : value
}

function withFlags(value: unknown): unknown {
  if (value === 'true' || value === 'false') return value === 'true'
  if (Array.isArray(value)) return value.map(withFlags)
  if (!isTree(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withFlags(inner)]))
}

/** Whether an attribute of a new object may not be sent. */
export function isReadonlyOnCreate(field: Field, { mode, manage }: ValidationOptions): boolean {
  if (mode !== 'create' || field.kind === 'constant') return false
  if (field.readonly === 'update' && !field.manage) return false
  return isReadonlyFor(field, manage)
}

/**
 * Field without `required` if its value is implied: by a related object, or as the only processing account
 * of the caller. On update, a required attribute of a group may be null, because the engine compares it
 * with the row.
 */
export function asImplied(
  name: string,
  field: ScalarField,
  { resource, writing, isInGroup }: FieldContext,
): ScalarField {
  const isImplied =
    (isInGroup && writing.mode === 'update') ||
    writing.given?.includes(name) ||
    (writing.presumes === true && name === destinationColumn(resource))
  return isImplied ? { ...field, required: undefined } : field
}

/** Whether a new object without a value for the field gets a default, or is refused. */
export function isFilled(field: ScalarField, { mode }: ValidationOptions): boolean {
  return mode === 'create' && (field.required === true || field.default !== undefined)
}

/** Whether any field of a group has a default for new objects. */
export function hasDefault(fields: Fields): boolean {
  return Object.values(fields).some((field) => field.default !== undefined)
}

/** Declared default in stored form; undefined if the field has none. */
export function storedDefault(field: Field): unknown {
  const { default: value } = field
  if (value === undefined || !isValueField(field) || field.kind === 'json' || field.kind === 'rows')
    return value
  const stored = readValue(field, value)
  if (stored instanceof Problem) throw new Error(`A declared default is not valid: ${stored.message}`)
  return stored
}

/** Declared defaults, in the form of validated input. */
export function defaultInput(fields: Fields): Input {
  const values = Object.entries(fields).map(([name, field]): [string, unknown] => [
    name,
    field.kind === 'group' ? defaultInput(field.fields) : storedDefault(field),
  ])
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

/**
 * List that a value means: forms send `{"0": …}`, and a single related object may stand for a list of one.
 */
export function listed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const keys = Object.keys(value)
  return keys.length > 0 && keys.every((key) => /^\d+$/.test(key)) ? Object.values(value) : [value]
}
