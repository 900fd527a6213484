import type { PlainFields } from './admin-operation.js'
import type { Field, Fields, OneField } from './field.js'
import type { FormField } from './form.js'
import type { Registry } from './registry.js'
import { attributesOf, type Resource } from './resource.js'

/** Kind of value that a flag takes at a terminal. */
export type FlagKind =
  | 'text'
  | 'secret'
  | 'money'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'choice'
  | 'date'
  | 'datetime'
  | 'json'
  | 'file'

/**
 * Flag of a command that creates or updates objects, derived from a field and independent of any
 * command-line library.
 */
export interface FlagDescription {
  /** Dotted path in kebab case: `payment-method.card.expiry`. */
  readonly name: string
  /** Path of the value in the request's body. */
  readonly path: readonly string[]
  readonly kind: FlagKind
  readonly choices: readonly string[]
  /** Whether the flag must be given on create: a required field of the resource itself without a default. */
  readonly required: boolean
  /** Description from the spec, or the field's name in words. */
  readonly doc: string
  /** Field from which the flag is derived. The field validates a value while a person types it. */
  readonly field?: Field
  /** Label, format and necessity of the attribute in the resource's form. */
  readonly form?: FormField
}

export type FlagMode = 'create' | 'update'

/**
 * Flags of a resource: those of its form in their order, then all others in the order of the declaration.
 * There is one for each settable attribute, also inside groups and single nested objects. Lists and deeper
 * trees are given as data.
 *
 * On update, nested objects have no flags, because one without its id would be created; they are updated at
 * their own path.
 */
export function flagsOf(registry: Registry, resource: Resource, mode: FlagMode): readonly FlagDescription[] {
  const preset = resource.view?.where ?? {}
  const own = Object.entries(attributesOf(resource)).filter(([name]) => !(name in preset))
  const flags = flagsOfFields(Object.fromEntries(own), { registry, mode, path: [], nested: false })
  const { form = [] } = resource
  const inForm = form.flatMap((field) =>
    flags.filter(({ path }) => path.join('.') === field.at).map((flag) => ({ ...flag, form: field })),
  )
  const named = new Set(inForm.map(({ name }) => name))
  return [...inForm, ...flags.filter(({ name }) => !named.has(name))]
}

/** Flags of fields that belong to no resource: the input of an admin operation. */
export function flagsOfPlain(registry: Registry, fields: PlainFields): readonly FlagDescription[] {
  return flagsOfFields(fields, { registry, mode: 'create', path: [], nested: false })
}

/** Flag for a path: `['billing_address', 'postal_code']` gives `billing-address.postal-code`. */
function flagName(path: readonly string[]): string {
  return path.join('.').replaceAll('_', '-')
}

interface Place {
  readonly registry: Registry
  readonly mode: FlagMode
  readonly path: readonly string[]
  /** Whether the place is inside a nested object, where no further object is unfolded. */
  readonly nested: boolean
}

function flagsOfFields(fields: Fields, place: Place): FlagDescription[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    flagsOfField(field, { ...place, path: [...place.path, name] }),
  )
}

function flagsOfField(field: Field, place: Place): FlagDescription[] {
  if (!isSettable(field, place.mode)) return []
  switch (field.kind) {
    case 'email':
    case 'phone':
    case 'postal_code':
    case 'expiry':
    case 'ref':
      return [flagOf(field, place, 'text')]
    case 'text':
    case 'digits':
      return [flagOf(field, place, field.transient ? 'secret' : 'text')]
    case 'secret':
      return [flagOf(field, place, isOpenNumber(field) ? 'text' : 'secret')]
    case 'file':
    case 'money':
    case 'number':
    case 'integer':
    case 'date':
    case 'datetime':
    case 'json':
      return [flagOf(field, place, field.kind)]
    case 'flag':
      return [flagOf(field, place, 'boolean')]
    case 'one_of':
      return [
        {
          ...flagOf(field, place, 'choice'),
          choices: (place.mode === 'create' && field.creatable) || field.values,
        },
      ]
    case 'rows':
      return [flagOf(field, place, 'json')]
    case 'group':
      return flagsOfFields(field.fields, place)
    case 'one':
      return field.assigns
        ? flagsOfAssigned(field, place)
        : flagsOfRelated(field.to, place, field.nonDefault === true)
    case 'many':
    case 'id':
    case 'constant':
    case 'alias':
    case 'derived':
    case 'address':
      return []
  }
}

function flagsOfRelated(to: string, place: Place, hidden: boolean): FlagDescription[] {
  const target = place.registry.find(to)
  if (!target || place.nested || hidden || place.mode === 'update') return []
  const { attrs: _, ...fields } = attributesOf(target)
  return flagsOfFields(fields, { ...place, nested: true })
}

/** Flag for the id of the object to which a new object belongs permanently: `--legal-entity-id`. */
function flagsOfAssigned(field: OneField, place: Place): FlagDescription[] {
  if (place.nested || place.mode === 'update') return []
  return [{ ...flagOf(field, place, 'text'), name: flagName([field.by]), path: [...place.path, 'id'] }]
}

/**
 * Whether a number is not secret although it is stored encrypted: bank routing numbers are printed on
 * cheques.
 */
export function isOpenNumber(field: Field | undefined): boolean {
  return field?.kind === 'secret' && field.check === 'routing'
}

function flagOf(field: Field, { path, mode }: Place, kind: FlagKind): FlagDescription {
  const required =
    mode === 'create' && path.length === 1 && field.required === true && field.default === undefined
  const last = path[path.length - 1] ?? ''
  return {
    name: flagName(path),
    path,
    kind,
    choices: [],
    required,
    doc: field.doc ?? last.replaceAll('_', ' '),
    field,
  }
}

function isSettable(field: Field, mode: FlagMode): boolean {
  switch (field.readonly) {
    case undefined:
    case 'SessionPermission':
      return true
    case 'update':
      return mode === 'create'
    case true:
    case 'function':
    case 'method':
      return false
  }
}
