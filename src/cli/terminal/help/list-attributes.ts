import type { Field } from '../../../schema/field.js'
import { isOrdered, isSearched } from '../../../schema/filter-operators.js'
import { registry } from '../declared-registry.js'
import { shapeOf } from '../input/shape.js'
import type { Definition } from './definitions.js'

/** Attributes of the objects that a command lists, with the operators of filters; empty for other commands. */
export function listAttributes(id: string): readonly Definition[] {
  const [topic = '', verb] = id.split(':')
  const resource = registry.all.find(
    ({ plural, admin, name }) =>
      verb === 'list' &&
      (admin ? topic === 'keys' && name === 'api_key' : plural.replaceAll('_', '-') === topic),
  )
  if (!resource) return []
  const { attributes, field } = shapeOf(registry, resource)
  return attributes.flatMap((path): Definition[] => {
    const found = field(path)
    const isFiltered = found !== undefined && found.kind !== 'address' && !found.transient
    return isFiltered ? [{ term: path.join('.'), meaning: meaningOf(found) }] : []
  })
}

function meaningOf(field: Field): string {
  const values = 'values' in field ? `one of ${field.values.join(', ')}` : undefined
  const operators = values === undefined ? operatorsOf(field) : '= !'
  return [operators, values ?? kindOf(field), field.doc].filter(Boolean).join('; ')
}

function operatorsOf(field: Field): string {
  return ['= !', isOrdered(field) ? '< <= > >=' : '', isSearched(field) ? '?' : ''].filter(Boolean).join(' ')
}

/** What values look like; undefined for plain text. */
function kindOf({ kind }: Field): string | undefined {
  switch (kind) {
    case 'flag':
      return 'true or false'
    case 'money':
      return 'an amount, as in 12.50'
    case 'number':
    case 'integer':
      return 'a number'
    case 'date':
    case 'datetime':
      return 'a date: ISO, today, 2d'
    case 'secret':
      return 'the whole number'
    case 'expiry':
      return 'MM/YY'
    default:
      return undefined
  }
}
