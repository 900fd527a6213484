import { resources } from '../../../resources/resource-table.js'
import { type ServiceTable, serviceTables } from '../../../resources/service-tables.js'
import type { ColumnSpecs, Row } from '../../../schema/columns.js'
import { idAlike } from '../../../schema/id-time.js'
import { parsedJson } from '../../../schema/json.js'
import { attributesOf, type Resource, tableNameOf } from '../../../schema/resource.js'
import type { Sealed } from '../../../schema/seal-rule.js'
import { type CountedColumn, countedColumns } from '../../../schema/sealed-fields.js'

/** Table in which every change is sealed. */
export interface SealedTable {
  /** Type of the table's rows, as the API names it. */
  readonly object: string
  readonly table: string
  /** Sealed columns, sorted by the bytes of their names. */
  readonly columns: readonly CountedColumn[]
  /** Value that sorts before the ids of all rows. */
  readonly beforeIds: string
  /** Values of a row, in the order of the columns. */
  valuesOf(row: Row): unknown[]
  /** Id of the row, among these values. */
  idOf(values: readonly unknown[]): string
  /**
   * Value of `modified_at`, the time of the last change visible to clients; undefined if the table has no
   * such column.
   */
  modifiedOf(values: readonly unknown[]): unknown
  /** Whether the table has control rows, which are compared with their newest seals when they are used. */
  readonly hasControl: boolean
  /** Whether a row with these values is a control row. */
  controls(values: readonly unknown[]): boolean
  /**
   * Whether a row may be shown as part of a proof. Rows with encrypted values or hashes of secrets may not.
   */
  isShowable(values: readonly unknown[]): boolean
  /**
   * Whether the row is unchanged since the service derived it from another object. Its content follows from
   * that object, so it needs no digest.
   */
  followsFromAnother(values: readonly unknown[]): boolean
  /**
   * Rule for derived rows: a row is derived from the object whose id is in `column`, if that id begins with
   * `prefix`. Undefined if the table has no such rule.
   */
  readonly follows: { readonly column: string; readonly prefix: string } | undefined
  /**
   * Content of a row as canonical JSON: names sorted by their bytes, no blanks, amounts in minor units,
   * decimal numbers in ten-thousandths. Nulls are left out, so that a column added later changes no seals.
   */
  write(values: readonly unknown[]): string
}

/** All sealed tables, by their name in the database. */
export function sealedTables(): ReadonlyMap<string, SealedTable> {
  known ??= new Map(
    [
      ...declared.flatMap((declaration) => ofResource(declaration) ?? []),
      ...Object.entries<ServiceTable>(serviceTables).flatMap(([table, each]) => ofService(table, each) ?? []),
    ].map((table) => [table.table, sealedTable(table)]),
  )
  return known
}
let known: ReadonlyMap<string, SealedTable> | undefined

/** Sealed table of an object type, as the API names it. */
export function sealedTableOf(object: string): SealedTable | undefined {
  byObject ??= new Map([...sealedTables().values()].map((table) => [table.object, table]))
  return byObject.get(object)
}
let byObject: ReadonlyMap<string, SealedTable> | undefined

const declared: readonly Resource[] = Object.values(resources)

interface TableToSeal extends Pick<SealedTable, 'object' | 'table' | 'columns' | 'beforeIds'> {
  readonly sealed: Sealed
  readonly hasSecrets: boolean
  readonly follows?: SealedTable['follows']
}

function ofResource(declaration: Resource): TableToSeal | undefined {
  const { name, seals, internal = {} } = declaration
  if (!seals || 'unsealed' in seals) return undefined
  const fields = { ...attributesOf(declaration), deleted_at: { kind: 'datetime' } } as const
  return {
    object: name,
    table: tableNameOf(declaration),
    columns: countedColumns(seals, fields, internal),
    beforeIds: '',
    sealed: seals,
    hasSecrets: seals.columns === 'all',
  }
}

function ofService(table: string, { columns, seals }: ServiceTable): TableToSeal | undefined {
  if ('unsealed' in seals) return undefined
  const { as: object, follows, ...sealed } = seals
  return {
    object,
    table,
    columns: plainColumns(columns, sealed),
    beforeIds: columns['id']?.startsWith('integer') ? '0' : '',
    sealed,
    hasSecrets: false,
    follows,
  }
}

function plainColumns(columns: ColumnSpecs, { except = [] }: Sealed): readonly CountedColumn[] {
  return Object.keys(columns)
    .filter((name) => !except.includes(name))
    .map((name) => ({ name, column: name, isFlag: false }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

function sealedTable({ sealed, hasSecrets, ...table }: TableToSeal): SealedTable {
  const { columns, object, follows } = table
  const positionOf = (name: string) => columns.findIndex(({ column }) => column === name)
  const id = positionOf('id')
  const modified = positionOf('modified_at')
  const controls = controlling(sealed, positionOf)
  const written: readonly (CountedColumn | undefined)[] = columns
  // Position of `object` among the names.
  const at = columns.filter(({ name }) => name < 'object').length
  const labels = columns.map(({ name }) => `${JSON.stringify(name)}:`)
  const objectText = `"object":${JSON.stringify(object)}`
  return {
    ...table,
    valuesOf: (row) => columns.map(({ column }) => row[column]),
    idOf: (values) => String(values[id]),
    modifiedOf: (values) => values[modified],
    hasControl: sealed.control !== undefined,
    controls,
    isShowable: (values) => !hasSecrets && !controls(values),
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

function controlling({ control }: Sealed, positionOf: (column: string) => number): SealedTable['controls'] {
  if (control === undefined || control === true) return () => control === true
  const expected = Object.entries(control).map(([column, value]) => [positionOf(column), value] as const)
  return (values) => expected.every(([position, value]) => values[position] === value)
}

function textOf({ isFlag }: CountedColumn, value: unknown): string {
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

/** Matches characters that JSON may escape. */
const ESCAPED = /[^ !#-[\]-~]/

function valueText(value: unknown): string {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && !ESCAPED.test(value) ? `"${value}"` : JSON.stringify(value)
}

/**
 * Name under which a row is sealed: its object type, a blank and its id. Names are lines of the log, so an
 * id with a line break is written as JSON. So is an id that begins with a quotation mark, because it could
 * be mistaken for JSON.
 */
export function sealedName(object: string, id: string): string {
  return `${object} ${WRITTEN_AS_JSON.test(id) ? JSON.stringify(id) : id}`
}

const WRITTEN_AS_JSON = /^"|\n/

/** Splits a name into object type and id. */
export function namedRow(name: string): { readonly object: string; readonly id: string } {
  const at = name.indexOf(' ')
  const written = name.slice(at + 1)
  const id = written.startsWith('"') ? parsedJson(written) : written
  return { object: name.slice(0, Math.max(at, 0)), id: typeof id === 'string' ? id : written }
}

/** Content that is sealed when a row is removed, as canonical JSON. */
export function writeRemoved(object: string, id: string): string {
  return `{"id":${JSON.stringify(id)},"object":${JSON.stringify(object)},"removed":true}`
}
