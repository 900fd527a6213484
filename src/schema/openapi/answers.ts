import type { AdminOperation, PlainFields } from '../admin-operation.js'
import type { AliasField, Field, Fields } from '../field.js'
import { closed, component, described, orNull, type Schema } from '../json-schema.js'
import type { ScalarField } from '../read.js'
import { isDeclared, type Registry } from '../registry.js'
import { attributesOf, isDefault, type Resource } from '../resource.js'
import { shownValue } from './example-values.js'
import { schemaNames } from './names.js'

/** Attributes that are never null. */
const ALWAYS = ['id', 'object', 'created_at', 'modified_at']

/**
 * Pattern of functions of one object in `fields`, such as `year(created_at)`. The function is also the name
 * of its value in the answer.
 */
const PART = '^(year|month|day|hour)\\(.*\\)$'
/** Pattern of functions of a group of objects, or attributes that they share. */
const OF_A_GROUP = '^(count|sum|avg|min|max)\\(.*\\)$|^[a-z]\\w*(\\[\\w*\\])*$'

/**
 * Schemas of a resource in answers: whole, with exactly the default attributes; a selection of any
 * attributes; and lists of both.
 */
export function answerSchemas(registry: Registry, resource: Resource): { readonly [name: string]: Schema } {
  const names = schemaNames(resource)
  return {
    [names.whole]: described(wholeOf(registry, resource), resource.summary),
    [names.selection]: selectionOf(registry, resource),
    [names.list]: listOf(component('schemas', names.whole)),
    [names.selectionList]: listOf(component('schemas', names.selection)),
  }
}

/** Schemas of an admin operation's answer: whole, and as a selection of its attributes. */
export function plainAnswers({ object, output }: AdminOperation): readonly Schema[] {
  const properties = { object: { const: object }, ...plainProperties(output) }
  return [closed(properties, Object.keys(properties)), closed(properties, [])]
}

function plainProperties(fields: PlainFields): { readonly [name: string]: Schema } {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, plainValue(field)]))
}

/** Schema of a value in an admin operation's answer. Every attribute may be null. */
function plainValue(field: Field): Schema {
  return field.kind === 'json' ? described({}, field.doc) : described(orNull(plainSchema(field)), field.doc)
}

function plainSchema(field: Field): Schema {
  if (field.kind === 'rows') return { type: 'array', items: rowSchema(field.fields) }
  if (field.kind === 'group') return rowSchema(field.fields)
  return isScalar(field) ? shownValue(field) : {}
}

/** Envelope of a set of objects, with exactly these two keys. */
function listOf(values: Schema): Schema {
  return closed({ object: { const: 'list' }, values: { type: 'array', items: values } }, ['object', 'values'])
}

interface SchemaContext {
  readonly registry: Registry
  readonly resource: Resource
  /** Whether the schema requires every default attribute; otherwise it allows any requested attributes. */
  readonly isWhole: boolean
  /** Whether the schema is in a group, where each value may be missing if another value is present. */
  readonly inGroup?: true
}

function wholeOf(registry: Registry, resource: Resource): Schema {
  const fields = attributesOf(resource)
  const context = { registry, resource, isWhole: true }
  const once = Object.entries(fields).filter(([, field]) => isShownOnce(field))
  const { properties, required } = membersOf(fields, context)
  const shownOnce = once.map(([name, field]) => [name, attribute(name, field, context)] as const)
  const lists = Object.entries(fields).filter(
    ([, field]) => field.kind === 'many' && isDeclared(registry, field) && !isDefault(field),
  )
  const sent = lists.map(([name, field]) => [name, attribute(name, field, context)] as const)
  return closed({ ...properties, ...Object.fromEntries([...shownOnce, ...sent]), ...DELETED }, required)
}

function selectionOf(registry: Registry, resource: Resource): Schema {
  const { properties } = membersOf(attributesOf(resource), { registry, resource, isWhole: false })
  return {
    ...closed({ ...properties, ...DELETED }, []),
    patternProperties: { [PART]: { type: ['integer', 'null'] } },
  }
}

/** Mark of a deleted object, which stays readable where money refers to it. */
const DELETED: { readonly [name: string]: Schema } = {
  deleted: {
    const: true,
    description: 'the object is deleted, and is shown because other objects refer to it',
  },
}

/** List of groups for functions and `group_by`, which is the same for every resource. */
export function groupSchemas(): { readonly [name: string]: Schema } {
  const value: Schema = { type: ['number', 'string', 'boolean', 'null'] }
  const group = { ...closed({}, []), patternProperties: { [`${PART}|${OF_A_GROUP}`]: value } }
  return { [GROUPS]: described(listOf(group), 'Groups of objects, each value under its own expression.') }
}
export const GROUPS = 'GroupList'

/** Whether a value is shown only once, when it is created. */
function isShownOnce(field: Field): boolean {
  return field.transient === true && field.readonly === true
}

function membersOf(fields: Fields, context: SchemaContext) {
  const shown = Object.entries(fields).filter(
    ([, field]) => isDeclared(context.registry, field) && (!context.isWhole || isDefault(field)),
  )
  return {
    properties: Object.fromEntries(shown.map(([name, field]) => [name, attribute(name, field, context)])),
    required: context.isWhole ? shown.flatMap(([name, { whenSet }]) => (whenSet ? [] : [name])) : [],
  }
}

function attribute(name: string, field: Field, context: SchemaContext): Schema {
  const schema = fieldSchema(field, context)
  const isFilled = !context.inGroup && (ALWAYS.includes(name) || field.required)
  return described(isFilled || isNeverNull(field) ? schema : orNull(schema), field.doc)
}

function isNeverNull({ kind }: Field): boolean {
  return kind === 'many' || kind === 'derived' || kind === 'constant' || kind === 'json'
}

function fieldSchema(field: Field, context: SchemaContext): Schema {
  const { registry, resource, isWhole } = context
  switch (field.kind) {
    case 'constant':
      return { const: field.value }
    case 'alias':
      return fieldSchema(aliased(field, attributesOf(resource)), context)
    case 'derived':
      return { type: 'string', enum: field.values }
    case 'address':
      return field.shows === 'end'
        ? shownValue({ kind: 'datetime' })
        : { type: 'string', pattern: '^https?://' }
    case 'id':
      return resource.prefix === '' ? shownValue(field) : { type: 'string', pattern: idPattern(resource) }
    case 'group': {
      const { properties, required } = membersOf(field.fields, { ...context, inGroup: true })
      return closed(properties, required)
    }
    case 'one':
    case 'many': {
      const names = schemaNames(registry.get(field.to))
      const related = component('schemas', isWhole ? names.whole : names.selection)
      return field.kind === 'one' ? related : { type: 'array', items: related }
    }
    case 'rows':
      return { type: 'array', items: rowSchema(field.fields) }
    case 'json':
      return {}
    default:
      return shownValue(field)
  }
}

/** Pattern of a resource's ids, such as `txn_` and 22 characters. */
function idPattern({ prefix }: Resource): string {
  return `^${prefix}[0-9A-Za-z]{22}$`
}

function rowSchema(fields: Fields): Schema {
  const shown = Object.entries(fields).map(([name, field]) => [name, plainValue(field)] as const)
  return closed(Object.fromEntries(shown), Object.keys(fields))
}

function aliased({ of }: AliasField, fields: Fields): Field {
  const [head = '', ...rest] = of
  const field = fields[head]
  if (field?.kind === 'group') return aliased({ kind: 'alias', of: rest }, field.fields)
  if (!field) throw new Error(`There is no field ${of.join('.')}`)
  return field
}

/** Whether a field is a single value, neither JSON nor a field with fields inside. */
function isScalar(field: Field): field is ScalarField {
  switch (field.kind) {
    case 'constant':
    case 'alias':
    case 'derived':
    case 'address':
    case 'group':
    case 'one':
    case 'many':
    case 'rows':
    case 'json':
      return false
    default:
      return true
  }
}
