import type { Field, Fields } from '../field.js'
import { closed, component, described, orNull, type Schema } from '../json-schema.js'
import { isDeclared, type Registry } from '../registry.js'
import { attributesOf, type Resource } from '../resource.js'
import { writtenValue } from './example-values.js'
import { schemaNames } from './names.js'

/**
 * Note for attributes of a group: they are required only if the object has any of them, which a schema
 * cannot express.
 */
const IN_GROUP = 'required in this object'

/**
 * Schemas of requests: any attributes of an object, the attributes that a new one requires, and lists.
 * Read-only attributes may be sent back unchanged.
 */
export function inputSchemas(registry: Registry, resource: Resource): { readonly [name: string]: Schema } {
  const names = schemaNames(resource)
  const input = component('schemas', names.input)
  return {
    [names.input]: inputOf(registry, resource),
    [names.create]: newOf(resource, input, requiredToCreate(resource)),
    [names.createList]: bodyList(component('schemas', names.create)),
    [names.updateList]: bodyList(withRequired(input, ['id'])),
    [names.deleteList]: bodyList(withRequired(input, ['id'])),
  }
}

/** Required attributes of a new object, without those that its path gives. */
export function requiredToCreate(resource: Resource, given: readonly string[] = []): readonly string[] {
  const known = [...given, ...Object.keys(resource.view?.where ?? {})]
  return requiredOf(resource.fields).filter((name) => {
    const field = resource.fields[name]
    return !known.includes(name) && !(field?.kind === 'one' && known.includes(field.by))
  })
}

/** Schema of an object with these fields, as clients send it. */
export function plainInput(registry: Registry, fields: Fields): Schema {
  return closed(properties(registry, fields), requiredOf(fields))
}

/** Schema of a new object: its required attributes, and the values that may be created. */
export function newOf(resource: Resource, input: Schema, required: readonly string[]): Schema {
  const narrowed = Object.entries(resource.fields).flatMap(([name, field]) =>
    field.kind === 'one_of' && field.creatable
      ? [[name, described({ type: 'string', enum: field.creatable }, field.doc)] as const]
      : [],
  )
  if (narrowed.length === 0) return withRequired(input, required)
  return { allOf: [input, { type: 'object', properties: Object.fromEntries(narrowed) }], required }
}

/** Schema with required attributes. */
function withRequired(schema: Schema, required: readonly string[]): Schema {
  return required.length === 0 ? schema : { allOf: [schema], required }
}

function isRequired({ required, default: preset, readonly, manage }: Field): boolean {
  return required === true && preset === undefined && !manage && (readonly ?? 'update') === 'update'
}

/** Schema of a list of objects, as clients send it. */
export function bodyList(items: Schema): Schema {
  return closed({ object: { const: 'list' }, values: { type: 'array', items } }, ['object', 'values'])
}

function inputOf(registry: Registry, resource: Resource): Schema {
  const attributes = attributesOf(resource)
  const shorthands = (resource.shorthands ?? []).flatMap(({ group, fields }) => {
    const field = attributes[group]
    if (field?.kind !== 'group') return []
    return fields.map((name) => [name, field.fields[name], `means ${group}[${name}]`] as const)
  })
  const short = shorthands.flatMap(([name, field, doc]) =>
    field ? [[name, described(fieldSchema(registry, field), doc)] as const] : [],
  )
  return closed({ ...Object.fromEntries(short), ...properties(registry, attributes) }, [])
}

/** Schemas of these fields, as clients send them. */
export function properties(
  registry: Registry,
  fields: Fields,
  note?: string,
): { readonly [name: string]: Schema } {
  const known = Object.entries(fields).filter(([, field]) => isDeclared(registry, field))
  return Object.fromEntries(known.map(([name, field]) => [name, property(registry, field, note)]))
}

function property(registry: Registry, field: Field, note: string | undefined): Schema {
  const schema = fieldSchema(registry, field)
  const isFilled = field.required || field.kind === 'constant' || field.kind === 'json'
  const doc = docOf(field, isRequired(field) ? note : undefined)
  return { ...described(isFilled ? schema : orNull(schema), doc), ...flagsOf(field) }
}

function flagsOf(field: Field): Schema {
  const isReadOnly = field.readonly !== undefined && field.readonly !== 'update' && field.kind !== 'id'
  return {
    ...(isReadOnly && field.readonly !== 'SessionPermission' && { readOnly: true }),
    ...(field.transient && !isReadOnly && { writeOnly: true }),
  }
}

/**
 * Description of a field with its notes. A default is described in words: generated clients take the
 * keyword `default` as a value that is always present, and require it.
 */
function docOf(
  { doc, readonly, once, manage, default: preset }: Field,
  note: string | undefined,
): string | undefined {
  const notes = [
    doc,
    note,
    preset === undefined ? undefined : `${preset} by default`,
    readonly === 'update' ? `set on create${once ? ', or once later' : ' only'}` : undefined,
    manage || readonly === 'SessionPermission' ? 'needs the permission manage' : undefined,
  ].filter((note) => note !== undefined)
  return notes.length === 0 ? undefined : notes.join('; ')
}

function fieldSchema(registry: Registry, field: Field): Schema {
  switch (field.kind) {
    case 'constant':
      return { const: field.value }
    case 'alias':
    case 'address':
      return {}
    case 'derived':
      return { type: 'string', enum: field.values }
    case 'group':
      return closed(properties(registry, field.fields, IN_GROUP), [])
    case 'one':
      return component('schemas', schemaNames(registry.get(field.to)).input)
    case 'many': {
      const related = component('schemas', schemaNames(registry.get(field.to)).input)
      return { anyOf: [{ type: 'array', items: related }, related] }
    }
    case 'rows':
      return { type: 'array', items: closed(properties(registry, field.fields), requiredOf(field.fields)) }
    case 'json':
      return {}
    default:
      return writtenValue(field)
  }
}

function requiredOf(fields: Fields): readonly string[] {
  return Object.entries(fields)
    .filter(([, field]) => isRequired(field))
    .map(([name]) => name)
}
