import { resources } from '../../src/resources/resource-table.js'
import { serviceTables } from '../../src/resources/service-tables.js'
import { type ColumnSpecs, columnName, secretColumns } from '../../src/schema/columns.js'
import type { Field, Fields } from '../../src/schema/field.js'
import { attributesOf, type Resource, tableNameOf } from '../../src/schema/resource.js'

/** A column about money, with the kind of its values. */
export interface MoneyColumn {
  readonly table: string
  readonly name: string
  readonly holds:
    | { readonly kind: 'amount' | 'count' | 'flag' | 'date' | 'datetime' | 'text' | 'sealed' }
    | { readonly kind: 'choice'; readonly values: readonly string[] }
    | { readonly kind: 'reference'; readonly to: string }
}

type Holds = MoneyColumn['holds']

/**
 * Every column about money, by the declarations: of resources with an amount, of those that name moving money, and of
 * those that moving money names. Attributes that clients write freely (descriptions, addresses) are not about money.
 */
export function moneyColumns(): readonly MoneyColumn[] {
  const declared: readonly Resource[] = Object.values(resources)
  const own = declared.filter(({ view, admin }) => !view && !admin)
  const bearing = own.filter(({ fields }) => hasAmount(fields))
  const moving = bearing.filter((each) => !isParty(each))
  const concerned = own.filter(
    (each) =>
      bearing.includes(each) ||
      moving.some((other) => namesOf(each).includes(tableNameOf(other))) ||
      moving.some((other) => namesOf(other).includes(tableNameOf(each))),
  )
  return [...concerned.flatMap(columnsOf), ...Object.entries(PLAIN).flatMap(plainColumns)]
}

/** Whether a resource is a party or its terms: their amounts are not moving money. */
function isParty({ ownership }: Resource): boolean {
  return (
    ownership.every(({ kind }) => kind === 'named_by') ||
    ownership.some((way) => way.kind === 'names' && way.column === 'id')
  )
}

const { postings, events, collections, idempotency_records, batches, batch_rows } = serviceTables
const { work: _, ...eventColumns } = events.columns
const { key: __, ...batchColumns } = batches.columns
const { content: ___, ...batchRowColumns } = batch_rows.columns

/** Tables without a resource. */
const PLAIN: Readonly<Record<string, ColumnSpecs>> = {
  postings: postings.columns,
  events: eventColumns,
  collections: collections.columns,
  idempotency_records: idempotency_records.columns,
  batches: batchColumns,
  batch_rows: batchRowColumns,
}

function hasAmount(fields: Fields): boolean {
  return Object.values(fields).some(
    (field) => field.kind === 'money' || (field.kind === 'group' && hasAmount(field.fields)),
  )
}

/** Tables whose rows a resource names. */
function namesOf(declaration: Resource): string[] {
  return columnsOf(declaration).flatMap(({ holds }) => (holds.kind === 'reference' ? [holds.to] : []))
}

function columnsOf(declaration: Resource): MoneyColumn[] {
  const table = tableNameOf(declaration)
  const { modified_at: _, attrs: __, ...fields } = attributesOf(declaration)
  const own = [
    ...columnsIn(table, fields, [], false),
    ...columnsIn(table, declaration.internal ?? {}, [], true),
  ]
  return [...own, { table, name: 'deleted_at', holds: { kind: 'datetime' } }]
}

function columnsIn(table: string, fields: Fields, path: readonly string[], isOurs: boolean): MoneyColumn[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const at = [...path, name]
    if (field.transient) return []
    if (field.kind === 'group') return columnsIn(table, field.fields, at, isOurs)
    if (field.kind === 'secret')
      return Object.values(secretColumns(at)).map((each) => ({
        table,
        name: each,
        holds: { kind: 'sealed' } as const,
      }))
    const holds = heldBy(field, isOurs)
    return holds ? [{ table, name: columnName(at), holds }] : []
  })
}

function heldBy(field: Field, isOurs: boolean): Holds | undefined {
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
      // A text that clients cannot write is set by the service.
      return isOurs || (field.readonly && field.readonly !== 'update') ? { kind: 'text' } : undefined
    default:
      return undefined
  }
}

function tableNamed(name: string): string {
  const found = Object.values(resources).find((each) => each.name === name)
  if (!found) throw new Error(`There is no resource ${name}`)
  return tableNameOf(found)
}

function plainColumns([table, columns]: readonly [string, ColumnSpecs]): MoneyColumn[] {
  return Object.entries(columns)
    .filter(([name]) => name !== 'id')
    .map(([name, spec]) => ({ table, name, holds: plainlyHeld(name, spec) }))
}

function plainlyHeld(name: string, spec: string): Holds {
  if (spec.startsWith('integer')) return { kind: name === 'amount' ? 'amount' : 'count' }
  if (name.endsWith('_at')) return { kind: 'datetime' }
  return { kind: name.endsWith('_date') ? 'date' : 'text' }
}
