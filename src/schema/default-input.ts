import { type Field, type Fields, isValueField } from './field.js'
import { Problem } from './problem.js'
import { readValue } from './read.js'
import type { Input } from './types.js'

/** The validated attributes of an object of which nothing was sent: the declaration's defaults, as they are stored. */
export function defaultInput(fields: Fields): Input {
  const values = Object.entries(fields).map(([name, field]) => [name, defaultOf(field)] as const)
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

function defaultOf(field: Field): unknown {
  if (field.kind === 'group') return defaultInput(field.fields)
  if (field.default === undefined || !isValueField(field)) return undefined
  if (field.kind === 'json' || field.kind === 'rows') return field.default
  const stored = readValue(field, field.default)
  if (stored instanceof Problem) throw new Error(`A declared default is not valid: ${stored.message}`)
  return stored
}
