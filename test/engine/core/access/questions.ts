import type { Field, Fields } from '../../../../src/schema/field.js'
import { attributesOf, type Resource } from '../../../../src/schema/resource.js'
import { relationsOf } from '../merchants.js'

/**
 * Queries whose answers depend on hidden data, not only on the shown objects: functions, groups, sorting,
 * and filters on related objects.
 */
export function questionsTo(resource: Resource): string[] {
  const own = valuesIn(attributesOf(resource), [])
  const related = relationsOf(resource).map(({ name, to, field }) => ({
    values: valuesIn(attributesOf(to), [name]),
    isSingle: field.kind === 'one',
  }))
  const single = related.filter(({ isSingle }) => isSingle).map(({ values }) => values)
  return [
    ...[own, ...single].flatMap((values) => [...figuresOf(values), ...groupsBy(values), ...ordersBy(values)]),
    ...related.flatMap(({ values }) => values.flatMap(filtersOn)),
  ]
}

interface Value {
  /** Name as in a query, such as `customer[name]`. */
  readonly name: string
  readonly field: Field
}

function valuesIn(fields: Fields, path: readonly string[]): Value[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const here = [...path, name]
    if (field.kind === 'group') return valuesIn(field.fields, here)
    const [head = '', ...inner] = here
    return field.transient ? [] : [{ name: head + inner.map((part) => `[${part}]`).join(''), field }]
  })
}

function figuresOf(values: readonly Value[]): string[] {
  const functions = values.flatMap(({ name, field }) => functionsOf(field).map((of) => `${of}(${name})`))
  return lotsOf(functions, 20).map((lot) => `fields=count(*),${lot.join()}`)
}

function functionsOf({ kind }: Field): readonly string[] {
  if (kind === 'money' || kind === 'number' || kind === 'integer') return ['sum', 'avg', 'min', 'max']
  return kind === 'date' || kind === 'datetime' ? ['min', 'max'] : []
}

/** Several groups at once reveal as much as each by itself. */
function groupsBy(values: readonly Value[]): string[] {
  const parts = values.flatMap(({ name, field }) => (field.kind === 'datetime' ? [`hour(${name})`] : []))
  return lotsOf([...plain(values), ...parts], 5).map(
    (lot) => `group_by=${lot.join()}&fields=${lot.join()},count(*)&count(*)=>0`,
  )
}

function ordersBy(values: readonly Value[]): string[] {
  return lotsOf(plain(values), 10).map((lot) => `order_by=${lot.join()}&limit=2`)
}

function plain(values: readonly Value[]): string[] {
  return values.filter(({ field }) => !UNORDERED.includes(field.kind)).map(({ name }) => name)
}
const UNORDERED = ['secret', 'json', 'rows', 'file', 'address', 'one', 'many', 'alias', 'constant']

function lotsOf(items: readonly string[], size: number): string[][] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, lot) => items.slice(lot * size, (lot + 1) * size))
}

function filtersOn({ name, field }: Value): string[] {
  switch (field.kind) {
    case 'text':
    case 'email':
      return [`${name}=?*zq|?*park`]
    case 'secret':
      return [`${name}=4242424242424242|021000021|123456789`]
    case 'money':
    case 'number':
    case 'integer':
      return [`${name}=>0&fields=count(*)`]
    default:
      return []
  }
}
