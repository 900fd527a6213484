import type { AdminOperation } from '../../../schema/admin-operation.js'
import type { Stored } from '../../../schema/columns.js'
import { type Field, type Fields, isValueField } from '../../../schema/field.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import { type Input, isTree } from '../../../schema/types.js'
import { showValue } from '../../../schema/wire.js'

/** Answer of an operation as the API shows it; with `fields` only the requested attributes. */
export function showAnswer(
  { object, output }: AdminOperation,
  answer: Input,
  fields: readonly string[] | undefined,
): JsonObject {
  const whole = showFields(output, answer)
  if (!fields) return { object, ...whole }
  return Object.fromEntries(fields.map((name) => [name, whole[name] ?? null]))
}

function showFields(fields: Fields, answer: Input): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, showField(field, answer[name])]),
  )
}

function showField(field: Field, value: unknown): Json {
  if (field.kind === 'group') return isTree(value) ? showFields(field.fields, value) : null
  if (field.kind === 'rows')
    return Array.isArray(value) ? value.filter(isTree).map((row) => showFields(field.fields, row)) : null
  return isValueField(field) ? showValue(field, isStored(value) ? value : null) : null
}

function isStored(value: unknown): value is Stored {
  return typeof value === 'string' || typeof value === 'number'
}
