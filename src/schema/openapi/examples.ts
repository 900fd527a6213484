import type { Field, Fields } from '../field.js'
import type { ReadonlyJson, ReadonlyJsonObject } from '../json-schema.js'
import type { Registry } from '../registry.js'
import { attributesOf, type Resource } from '../resource.js'
import { requiredToCreate } from './inputs.js'

/**
 * Example body for creating an object: the declared example, or all attributes that are required and not in
 * the path.
 */
export function createExample(
  registry: Registry,
  resource: Resource,
  given: readonly string[] = [],
): ReadonlyJsonObject {
  const whole =
    resource.example ?? exampleOf(registry, attributesOf(resource), requiredToCreate(resource, given))
  const isSaid = (name: string) =>
    given.includes(name) || (given.length > 0 && isOptionalRef(attributesOf(resource)[name]))
  return Object.fromEntries(Object.entries(whole).filter(([name]) => !isSaid(name)))
}

/** Whether an attribute is an optional reference; below a parent, the path already gives it. */
function isOptionalRef(field: Field | undefined): boolean {
  return field?.kind === 'ref' && !field.required
}

/** Example body with the required fields. */
export function requiredExample(registry: Registry, fields: Fields): ReadonlyJsonObject {
  const required = Object.entries(fields).filter(([, field]) => field.required)
  return exampleOf(
    registry,
    fields,
    required.map(([name]) => name),
  )
}

/** Example values for the named fields. */
export function exampleOf(registry: Registry, fields: Fields, names: readonly string[]): ReadonlyJsonObject {
  return Object.fromEntries(
    names.flatMap((name) => {
      const field = fields[name]
      return field ? [[name, exampleValue(registry, name, field)] as const] : []
    }),
  )
}

function exampleValue(registry: Registry, name: string, field: Field): ReadonlyJson {
  switch (field.kind) {
    case 'text':
      return name.replaceAll('_', ' ')
    case 'file':
      return 'data:text/plain;name=terms.txt;base64,SGVsbG8='
    case 'email':
      return 'ada@example.com'
    case 'phone':
      return '212 555 0100'
    case 'postal_code':
      return '11238'
    case 'digits':
    case 'secret':
      return '1234567890'.slice(0, field.max ?? 3)
    case 'expiry':
      return '12/39'
    case 'money':
      return 29.99
    case 'number':
    case 'integer':
      return field.min ?? 1
    case 'flag':
      return true
    case 'one_of':
    case 'derived':
      return field.values[0] ?? null
    case 'ref':
      return `${registry.find(field.to)?.prefix ?? ''}…`
    case 'one':
      return { id: `${registry.find(field.to)?.prefix ?? ''}…` }
    case 'date':
      return '2031-01-31'
    case 'datetime':
      return '2031-01-31 14:05:00'
    case 'group':
      return exampleOf(registry, field.fields, Object.keys(field.fields))
    case 'constant':
      return field.value
    case 'id':
    case 'alias':
    case 'address':
    case 'json':
    case 'rows':
    case 'many':
      return null
  }
}
