import { isReadonlyFor } from '../../../model/input/field-input.js'
import type { ResourceModel } from '../../../model/resource-model.js'
import { columnName, type Row, type Stored, secretColumns } from '../../../schema/columns.js'
import { derive } from '../../../schema/derive.js'
import { type Field, type Fields, type FlagField, isValueField } from '../../../schema/field.js'
import type { JsonObject } from '../../../schema/json.js'
import { type Input, isTree } from '../../../schema/types.js'
import { isMask, unsetFlag } from '../../../schema/wire.js'
import { invalidAttributes } from '../request/api-error.js'
import { putDetail } from '../request/error-details.js'
import { emptied } from './flatten.js'

/**
 * Throws `InvalidAttributes`: `Read only` for a change of a read-only attribute, `Required` for null in a
 * required one. Unchanged values are accepted, because clients send whole objects back. An attribute that
 * may be set once is read-only as soon as it has a value.
 */
export function refuseReadonly(
  resource: ResourceModel,
  row: Row,
  input: Input,
  judging: Omit<Judging, 'row' | 'isReadonly'> & { readonly manage: boolean },
): void {
  const isReadonly = (field: Field, path: readonly string[]) =>
    isReadonlyFor(field, judging.manage) && !(field.once && (row[columnName(path)] ?? null) === null)
  const problems = readonlyProblems(resource.attributes, input, [], { row, isReadonly, ...judging })
  if (problems) throw invalidAttributes(problems)
}

/**
 * Input without read-only attributes that equal the row as the client read it. Another object of the same
 * request may have changed the row since; the old values must not count as changes.
 */
export function withoutReadonly(
  resource: ResourceModel,
  row: Row,
  input: Input,
  judging: Omit<Judging, 'row' | 'isReadonly'> & { readonly manage: boolean },
): Input {
  const isReadonly = (field: Field) => field.kind !== 'id' && isReadonlyFor(field, judging.manage)
  return changeableIn(resource.attributes, input, [], { row, isReadonly, ...judging })
}

function changeableIn(fields: Fields, input: Input, path: readonly string[], judging: Judging): Input {
  const kept = Object.entries(input).flatMap(([name, value]): [string, unknown][] => {
    const field = fields[name]
    const here = [...path, name]
    if (field?.kind === 'group' && isTree(value))
      return [[name, changeableIn(field.fields, value, here, judging)]]
    return field && judging.isReadonly(field, here) && isUnchanged(field, value, here, judging)
      ? []
      : [[name, value]]
  })
  return Object.fromEntries(kept)
}

/** Whether an input would change a row; nested lists are ignored. */
export function changesAnything(
  resource: ResourceModel,
  row: Row,
  input: Input,
  judging: Omit<Judging, 'row' | 'isReadonly'>,
): boolean {
  const everything = { row, isReadonly: ({ kind }: Field) => kind !== 'many', ...judging }
  return readonlyProblems(resource.attributes, input, [], everything) !== undefined
}

interface Judging {
  readonly row: Row
  isReadonly(field: Field, path: readonly string[]): boolean
  /** Whether the whole group is set to null, together with its required attributes. */
  readonly isEmptied?: boolean
  /** Business time of the unit of work, as a datetime. */
  readonly now: string
}

function readonlyProblems(
  fields: Fields,
  input: Input,
  path: readonly string[],
  judging: Judging,
): JsonObject | undefined {
  const problems: JsonObject = {}
  for (const [name, value] of Object.entries(input)) {
    const field = fields[name]
    if (!field || value === undefined) continue
    const problem =
      problemOf(field, value, [...path, name], judging) ?? relationProblem(fields, field, value, judging)
    if (problem) problems[name] = problem
  }
  return Object.keys(problems).length > 0 ? problems : undefined
}

function problemOf(
  field: Field,
  value: unknown,
  path: readonly string[],
  judging: Judging,
): JsonObject | string | undefined {
  if (field.kind === 'group') {
    return isTree(value)
      ? readonlyProblems(field.fields, value, path, judging)
      : readonlyProblems(field.fields, emptied(field.fields), path, { ...judging, isEmptied: true })
  }
  if (field.kind === 'secret' && isMask(value)) {
    return judging.row[secretColumns(path).mask] === value ? undefined : 'Must be valid number'
  }
  const isRequired = field.required && isValueField(field) && value === null && !judging.isEmptied
  const isReadonly = judging.isReadonly(field, path)
  if (!isRequired && !isReadonly) return undefined
  if (isUnchanged(field, value, path, judging)) return undefined
  return isReadonly ? 'Read only' : 'Required'
}

/** Problem if the input sends a different related object although its reference may be set only on create. */
function relationProblem(fields: Fields, field: Field, value: unknown, { row }: Judging): string | undefined {
  if (field.kind !== 'one' || !(field.assigns || fields[field.by]?.readonly === 'update')) return undefined
  const named = isTree(value) ? (value.id ?? null) : null
  return named === (row[field.by] ?? null) ? undefined : 'Read only'
}

function isUnchanged(field: Field, value: unknown, path: readonly string[], { row, now }: Judging): boolean {
  switch (field.kind) {
    case 'constant':
    case 'address':
      return true
    case 'one':
      return (isTree(value) ? (value.id ?? null) : null) === (row[field.by] ?? null)
    case 'alias':
      return value === (row[columnName(field.of)] ?? null)
    case 'derived':
      return value === derive(field, row, now)
    // The number itself is never compared, because the answer would reveal it. Only its mask, or null, counts
    // as unchanged.
    case 'secret':
      return value === (row[secretColumns(path).mask] ?? null)
    case 'json':
    case 'rows':
      return JSON.stringify(value) === (row[columnName(path)] ?? 'null')
    case 'flag':
      return isSameFlag(field, value, row[columnName(path)] ?? null)
    default:
      if (field.transient) return value === null
      return (row[columnName(path)] ?? null) === value
  }
}

/**
 * Whether two values of a flag mean the same. Without a stored value a flag has its default; a required
 * flag cannot be null.
 */
function isSameFlag(field: FlagField, value: unknown, stored: Stored): boolean {
  const unset = field.required ? null : unsetFlag(field)
  return (value ?? unset) === (stored ?? unset)
}

/** Throws `InvalidAttributes` (`Required`) if a group with any value lacks one of its required attributes. */
export function refuseMissing(resource: ResourceModel, row: Row): void {
  const problems: JsonObject = {}
  for (const group of resource.demandingGroups) {
    if (!group.columns.some((column) => isFilled(row, column))) continue
    const missing = group.required.filter(({ column }) => !isFilled(row, column))
    for (const { path } of missing) putDetail(problems, path, 'Required')
  }
  if (Object.keys(problems).length > 0) throw invalidAttributes(problems)
}

function isFilled(row: Row, column: string): boolean {
  return (row[column] ?? null) !== null
}
