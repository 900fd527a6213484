import type { Field, Fields, GroupField, ManyField, OneField } from './field.js'
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
import { Problem } from './problem.js'
import type { Registry } from './registry.js'
import { attributesOf, type Resource } from './resource.js'
import { isBlank, perWriting, relatedInput, type SentInput } from './sent-input.js'
import { type Input, isTree } from './types.js'

/** Something is wrong with what was sent: its schema says what. */
export const UNUSUAL = Symbol('unusual')

/**
 * Reads what was sent for an object where nothing is wrong with it: the same values that its schema gives, by readers that
 * are made once from the declaration. Most attributes are seldom sent, and only those that are cost something here.
 */
export function usualInput(registry: Registry, resource: Resource, { writing, value }: SentInput): unknown {
  return readerOf({ registry, resource, writing })(value)
}

/** What a value is stored as, or `UNUSUAL`. */
type Reader = (value: unknown) => unknown

interface Context extends FieldContext {
  readonly registry: Registry
}

const readerOf = perWriting<Context & { readonly resource: Resource }, Reader>((context) =>
  objectReader(attributesOf(context.resource), context),
)

interface Attribute {
  readonly name: string
  readonly read: Reader
  /** It is read as nothing when it was not sent: it has a default, or is required. */
  readonly filled: boolean
}

function objectReader(fields: Fields, context: Context): Reader {
  const attributes = Object.entries(fields).map(([name, field]) => attributeOf(name, field, context))
  const names = new Set(Object.keys(fields))
  return (value) => (isTree(value) && isKnown(names, value) ? readAll(attributes, value) : UNUSUAL)
}

function isKnown(names: ReadonlySet<string>, value: Input): boolean {
  for (const name of Object.keys(value)) if (!names.has(name) || value[name] === undefined) return false
  return true
}

function readAll(attributes: readonly Attribute[], value: Input): unknown {
  const input: Record<string, unknown> = {}
  for (const { name, read, filled } of attributes) {
    const sent = value[name]
    if (sent === undefined && !filled) continue
    const found = read(sent ?? null)
    if (found === UNUSUAL) return UNUSUAL
    input[name] = found
  }
  return input
}

function attributeOf(name: string, field: Field, context: Context): Attribute {
  const { resource, writing } = context
  const isNew = writing.mode === 'create'
  const preset = isNew ? resource.view?.where[name] : undefined
  if (preset !== undefined)
    return { name, filled: true, read: (value) => (isBlank(value) || value === preset ? preset : UNUSUAL) }
  if (name === writing.parentAs) return { name, filled: false, read: asItIs }
  if (isReadonlyOnCreate(field, writing)) {
    const instead = storedDefault(field)
    return { name, filled: instead !== undefined, read: (value) => (isBlank(value) ? instead : UNUSUAL) }
  }
  switch (field.kind) {
    case 'constant':
      return {
        name,
        filled: false,
        read: (value) => (isBlank(value) || value === field.value ? value : UNUSUAL),
      }
    case 'alias':
    case 'derived':
    case 'address':
      return { name, filled: false, read: asItIs }
    case 'group':
      return groupAttribute(name, field, context)
    case 'one':
      return singleAttribute(name, field, context)
    case 'many':
      return { name, filled: false, read: listReader(relatedReader(field, context), MAX_RELATED) }
    case 'json':
      return { name, filled: false, read: (value) => withoutProblem(readJson(field, value)) }
    case 'rows': {
      const row = objectReader(field.fields, { ...context, writing: { ...writing, mode: 'create' } })
      return { name, filled: false, read: nullOr(listReader(row, MAX_ROWS)) }
    }
    default: {
      const meant = asImplied(name, field, context)
      const read: Reader = (value) => withoutProblem(readScalar(meant, writing, value))
      return { name, filled: isFilled(meant, writing), read }
    }
  }
}

function groupAttribute(name: string, field: GroupField, context: Context): Attribute {
  const read = objectReader(field.fields, { ...context, isInGroup: true })
  const filled = context.writing.mode === 'create' && hasDefault(field.fields)
  return { name, filled, read: filled ? (value) => read(value ?? {}) : nullOr(read) }
}

function singleAttribute(name: string, field: OneField, context: Context): Attribute {
  const { mode, parentAs } = context.writing
  const read = relatedReader(field, context)
  if (mode !== 'create' || !field.required || parentAs === field.by)
    return { name, filled: false, read: nullOr(read) }
  return { name, filled: true, read: (value) => (isBlank(value) ? UNUSUAL : read(value)) }
}

function relatedReader(field: OneField | ManyField, { registry, writing }: Context): Reader {
  return (value) => {
    const target = registry.find(field.to)
    return target ? usualInput(registry, target, relatedInput(field, target, writing, value)) : UNUSUAL
  }
}

function listReader(read: Reader, most: number): Reader {
  return (value) => {
    const values = listed(value)
    if (!Array.isArray(values) || values.length > most) return UNUSUAL
    const inputs = values.map(read)
    return inputs.includes(UNUSUAL) ? UNUSUAL : inputs
  }
}

function nullOr(read: Reader): Reader {
  return (value) => (value === null ? null : read(value))
}

function withoutProblem(read: unknown): unknown {
  return read instanceof Problem ? UNUSUAL : read
}

function asItIs(value: unknown): unknown {
  return value
}
