import type { Field, Fields } from '../../../schema/field.js'
import { attributesOf, type Resource } from '../../../schema/resource.js'
import type { Definition } from '../../terminal/help/definitions.js'

/** Attributes by which a list can be filtered, each with its operators and values. */
export function filterable(resource: Resource): readonly Definition[] {
  return definitionsIn(attributesOf(resource), '')
}

function definitionsIn(fields: Fields, prefix: string): Definition[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.kind === 'group') return definitionsIn(field.fields, `${prefix}${name}.`)
    const meaning = field.transient ? undefined : operatorsOf(field)
    const related = field.kind === 'one' || field.kind === 'many' ? '.…' : ''
    return meaning === undefined ? [] : [{ term: `${prefix}${name}${related}`, meaning }]
  })
}

/** Operators and values of filters by a field; undefined for a field by which lists cannot be filtered. */
function operatorsOf(field: Field): string | undefined {
  switch (field.kind) {
    case 'one_of':
    case 'derived':
      return `= =! ${field.values.join('|')}`
    case 'flag':
      return '= =! true|false'
    case 'money':
      return '= =! => =>= =< =<= an amount'
    case 'number':
    case 'integer':
      return '= =! => =>= =< =<= a number'
    case 'date':
    case 'datetime':
      return '= =! => =>= =< =<= a date, today, 2d'
    case 'secret':
      return '= =! the whole number'
    case 'id':
    case 'ref':
      return '= =! an id'
    case 'text':
    case 'email':
    case 'phone':
    case 'postal_code':
    case 'digits':
    case 'expiry':
    case 'alias':
      return '= =! =?*part* a text'
    case 'one':
    case 'many':
      return `attributes of ${field.to.replaceAll('_', ' ')} objects`
    case 'json':
    case 'rows':
      return 'values inside, as name.inner'
    case 'group':
    case 'constant':
    case 'file':
    case 'address':
      return undefined
  }
}
