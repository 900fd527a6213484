import { sealedTables } from '../../src/engine/store/books/sealed-table.js'
import { resources } from '../../src/resources/resource-table.js'
import { type ServiceTable, serviceTables } from '../../src/resources/service-tables.js'
import { columnName, secretColumns } from '../../src/schema/columns.js'
import { type Field, type Fields, isValueField } from '../../src/schema/field.js'
import { attributesOf, type Resource, tableNameOf } from '../../src/schema/resource.js'

/** A sealed column, with the kind of its values. */
export interface CountedColumn {
  readonly table: string
  readonly name: string
  readonly holds:
    | { readonly kind: 'amount' | 'count' | 'flag' | 'date' | 'datetime' | 'text' | 'sealed' }
    | { readonly kind: 'choice'; readonly values: readonly string[] }
    | { readonly kind: 'reference'; readonly to: string }
}

type Holds = CountedColumn['holds']

/** Tables of the seals themselves. They have no seals; keyed hashes protect their rows. */
const OF_SEALS = ['seal_log', 'seal_queue']

/**
 * All columns that are declared as sealed. For tables of money, texts that clients write freely (descriptions,
 * addresses) are not included.
 */
export function sealedColumns(): readonly CountedColumn[] {
  const declared: readonly Resource[] = Object.values(resources)
  return [
    ...declared.flatMap((declaration) => (declaration.view ? [] : columnsOf(declaration))),
    ...Object.entries<ServiceTable>(serviceTables).flatMap(plainColumns),
  ]
}

/** Control tables: payctl compares their rows with the seals at each use. */
export function controlTables(): readonly string[] {
  return [...sealedTables().values()].flatMap(({ table, hasControl }) => (hasControl ? [table] : []))
}

/** Tables that are not sealed and so not corrupted, each with the reason. */
export function unsealedTables(): readonly (readonly [table: string, reason: string])[] {
  const declared: readonly Resource[] = Object.values(resources)
  const all = [
    ...declared.map((declaration) => [tableNameOf(declaration), declaration.seals] as const),
    ...Object.entries<ServiceTable>(serviceTables).map(([table, { seals }]) => [table, seals] as const),
  ]
  return all.flatMap(([table, seals]) =>
    seals && 'unsealed' in seals && !OF_SEALS.includes(table) ? [[table, seals.unsealed] as const] : [],
  )
}

function columnsOf(declaration: Resource): CountedColumn[] {
  const { seals, internal = {} } = declaration
  if (!seals || 'unsealed' in seals) return []
  const table = tableNameOf(declaration)
  const { id: _, modified_at: __, attrs, ...fields } = attributesOf(declaration)
  const isAll = seals.columns === 'all'
  const shown: Fields = isAll && attrs ? { ...fields, attrs } : fields
  const { except = [] } = seals
  return [
    ...columnsIn(table, shown, [], isAll),
    ...columnsIn(table, internal, [], true),
    { table, name: 'deleted_at', holds: { kind: 'datetime' } as const },
  ].filter(({ name }) => !except.includes(name))
}

/** Columns of a table's fields. `isAll` includes texts that clients write. */
function columnsIn(table: string, fields: Fields, path: readonly string[], isAll: boolean): CountedColumn[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const at = [...path, name]
    if (field.transient) return []
    if (field.kind === 'group') return columnsIn(table, field.fields, at, isAll)
    if (field.kind === 'secret')
      return Object.values(secretColumns(at)).map((each) => ({
        table,
        name: each,
        holds: { kind: 'sealed' } as const,
      }))
    const holds = heldBy(field, isAll)
    return holds ? [{ table, name: columnName(at), holds }] : []
  })
}

function heldBy(field: Field, isAll: boolean): Holds | undefined {
  switch (field.kind) {
    case 'money':
    case 'number':
      return { kind: 'amount' }
    case 'integer':
      return { kind: 'count' }
    case 'flag':
    case 'date':
    case 'datetime':
      return { kind: field.kind }
    case 'one_of':
      return { kind: 'choice', values: field.values }
    case 'ref':
      return { kind: 'reference', to: tableNamed(field.to) }
    case 'text':
      // A text that clients cannot write is set by payctl, so it counts.
      return isAll || (field.readonly && field.readonly !== 'update') ? { kind: 'text' } : undefined
    case 'secret':
    case 'id':
      return undefined
    default:
      return isAll && isValueField(field) ? { kind: 'text' } : undefined
  }
}

function tableNamed(name: string): string {
  const found = Object.values(resources).find((each) => each.name === name)
  if (!found) throw new Error(`There is no resource ${name}`)
  return tableNameOf(found)
}

function plainColumns([table, { columns, seals }]: readonly [string, ServiceTable]): CountedColumn[] {
  if ('unsealed' in seals && !OF_SEALS.includes(table)) return []
  const except = 'unsealed' in seals ? [] : (seals.except ?? [])
  return Object.entries(columns)
    .filter(([name, spec]) => name !== 'id' && !except.includes(name) && !spec.startsWith('bytes'))
    .map(([name, spec]) => ({ table, name, holds: plainlyHeld(name, spec) }))
}

function plainlyHeld(name: string, spec: string): Holds {
  if (spec.startsWith('integer')) return { kind: name === 'amount' ? 'amount' : 'count' }
  if (name.endsWith('_at')) return { kind: 'datetime' }
  return { kind: name.endsWith('_date') ? 'date' : 'text' }
}
