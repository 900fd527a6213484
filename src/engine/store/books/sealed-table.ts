import { exceptionPosting, posting, settlementPosting } from '../../../resources/posting.js'
import { resources } from '../../../resources/resource-table.js'
import {
  batchRecord,
  batchRow,
  booksAcceptance,
  eventRecord,
  keptAnswer,
} from '../../../resources/sealed-records.js'
import type { Row } from '../../../schema/columns.js'
import { idAlike } from '../../../schema/id-time.js'
import {
  type MoneyColumn,
  type MoneyTable,
  moneyColumnsOf,
  moneyTableOf,
  moneyTablesOf,
} from '../../../schema/money-table.js'
import type { Resource } from '../../../schema/resource.js'

/** A table whose every change is sealed. */
export interface SealedTable extends MoneyTable {
  /** The values of a row in the order of the columns. */
  valuesOf(row: Row): unknown[]
  /** The id among these values. */
  idOf(values: readonly unknown[]): string
  /** Whether a row is as the service made it for another object, from which all of it follows: it needs no digest. */
  followsFromAnother(values: readonly unknown[]): boolean
  /** Of which kind of object all rows follow that name one: a column, and what ids of the kind begin with. */
  readonly follows: { readonly column: string; readonly prefix: string } | undefined
  /**
   * The content of a row as canonical JSON: names in the order of their bytes, no blanks, amounts in minor units, decimal
   * numbers in ten-thousandths. Nulls are left out, so that a column added later changes nothing.
   */
  write(values: readonly unknown[]): string
}

/** Every sealed table, by its name in the database. */
export function sealedTables(): ReadonlyMap<string, SealedTable> {
  known ??= new Map(
    [
      ...moneyTablesOf(declared),
      ...declared.filter(({ follows }) => follows !== undefined).map(moneyTableOf),
      ...[
        posting,
        exceptionPosting,
        settlementPosting,
        booksAcceptance,
        keptAnswer,
        batchRecord,
        batchRow,
        eventRecord,
      ].map((each) => ({
        object: each.name,
        table: each.table,
        columns: moneyColumnsOf(each.fields),
        ...('follows' in each && { follows: each.follows }),
      })),
    ].map((table) => [table.table, sealedTable(table)]),
  )
  return known
}
let known: ReadonlyMap<string, SealedTable> | undefined

const declared: readonly Resource[] = Object.values(resources)

interface TableToSeal extends MoneyTable {
  readonly follows?: SealedTable['follows']
}

function sealedTable(table: TableToSeal): SealedTable {
  const { columns, object, follows } = table
  const positionOf = (name: string) => columns.findIndex(({ column }) => column === name)
  const id = positionOf('id')
  // Where `object` stands among the names.
  const written: readonly (MoneyColumn | undefined)[] = columns
  const at = columns.filter(({ name }) => name < 'object').length
  const labels = columns.map(({ name }) => `${JSON.stringify(name)}:`)
  const objectText = `"object":${JSON.stringify(object)}`
  return {
    ...table,
    valuesOf: (row) => columns.map(({ column }) => row[column]),
    idOf: (values) => String(values[id]),
    follows,
    followsFromAnother: follows
      ? naming(positionOf(follows.column), follows.prefix)
      : followsFrom(object, positionOf),
    write,
  }

  function write(values: readonly unknown[]): string {
    let text = ''
    let mark = '{'
    for (let index = 0; index <= written.length; index++) {
      if (index === at) {
        text += mark + objectText
        mark = ','
      }
      const column = written[index]
      const value = values[index]
      if (!column || value === undefined || value === null) continue
      text += mark + labels[index] + textOf(column, value)
      mark = ','
    }
    return `${text}}`
  }
}

function textOf({ isFlag }: MoneyColumn, value: unknown): string {
  return isFlag ? String(value === 1) : valueText(value)
}

function naming(position: number, prefix: string): SealedTable['followsFromAnother'] {
  return (values) => String(values[position]).startsWith(prefix)
}

function followsFrom(
  object: string,
  positionOf: (column: string) => number,
): SealedTable['followsFromAnother'] {
  const { follows, prefix } = declared.find(({ name }) => name === object) ?? {}
  if (follows === undefined || prefix === undefined) return () => false
  const [id, from, created, modified, deleted] = [
    ...['id', follows, 'created_at', 'modified_at', 'deleted_at'].map(positionOf),
  ]
  return (values) =>
    values[id ?? -1] === idAlike(prefix, String(values[from ?? -1])) &&
    values[created ?? -1] === values[modified ?? -1] &&
    (values[deleted ?? -1] ?? null) === null
}

/** Characters of which JSON may write one in another way. */
const ESCAPED = /[^ !#-[\]-~]/

function valueText(value: unknown): string {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && !ESCAPED.test(value) ? `"${value}"` : JSON.stringify(value)
}

/** The name under which a row is sealed: its kind of object, a blank, its id. */
export function sealedName(object: string, id: string): string {
  return `${object} ${id}`
}

/** What is sealed when a row is removed: canonical JSON. */
export function writeRemoved(object: string, id: string): string {
  return `{"id":${JSON.stringify(id)},"object":${JSON.stringify(object)},"removed":true}`
}
