import { type Field, type Fields, isValueField, type ValueField, type VaultContent } from './field.js'
import { attributesOf, type Resource } from './resource.js'

/** Value of a column in either database. Booleans are 1 and 0; dates, datetimes and JSON are text. */
export type Stored = string | number | null
export type Row = { [column: string]: Stored }
/** Values of a row, in the order of selection. */
export type RowValues = readonly Stored[]
export type ColumnType = 'text' | 'integer'

/** Type of a column, and whether it must be filled. A `counter` is numbered by the database. */
export type ColumnSpec =
  | 'text'
  | 'text required'
  | 'integer'
  | 'integer required'
  | 'bytes required'
  | 'counter required'

/** Columns of a table, by name. */
export type ColumnSpecs = { readonly [name: string]: ColumnSpec }

export interface TableColumn {
  readonly name: string
  readonly type: ColumnType
}

/** Column of a field at a path: `card.card_number` gives `card__card_number`. */
export function columnName(path: readonly string[]): string {
  return path.join('__')
}

/** Column names of a secret: encrypted, hashed for equality, and masked for showing. */
export interface SecretColumns {
  readonly sealed: string
  readonly hash: string
  readonly mask: string
}

/** Columns of a secret at a path. */
export function secretColumns(path: readonly string[]): SecretColumns {
  const sealed = columnName(path)
  return { sealed, hash: `${sealed}_hash`, mask: `${sealed}_mask` }
}

/** Columns of a resource's table, in the order of the declaration. */
export function tableColumnsOf(declaration: Resource): readonly TableColumn[] {
  return [
    ...columnsOfFields(attributesOf(declaration), []),
    ...columnsOfFields(declaration.internal ?? {}, []),
    { name: 'deleted_at', type: 'text' },
  ]
}

function columnsOfFields(fields: Fields, path: readonly string[]): TableColumn[] {
  return Object.entries(fields).flatMap(([name, field]) => columnsOfField(field, [...path, name]))
}

function columnsOfField(field: Field, path: readonly string[]): TableColumn[] {
  if (field.transient) return []
  const name = columnName(path)
  switch (field.kind) {
    case 'group':
      return columnsOfFields(field.fields, path)
    case 'secret':
      return Object.values(secretColumns(path)).map((column) => ({ name: column, type: 'text' }))
    default:
      return isValueField(field) ? [{ name, type: storedAs(field) }] : []
  }
}

/** Column with values made by the vault. */
export interface VaultColumn {
  readonly name: string
  readonly content: VaultContent
  /** Columns whose values an encrypted text is bound to. */
  readonly boundTo: readonly string[]
}

/** Columns of a resource's table whose values need the keys of the vault. */
export function vaultColumnsOf(declaration: Resource): readonly VaultColumn[] {
  return [
    ...vaultColumnsOfFields(attributesOf(declaration), []),
    ...vaultColumnsOfFields(declaration.internal ?? {}, []),
  ]
}

function vaultColumnsOfFields(fields: Fields, path: readonly string[]): VaultColumn[] {
  return Object.entries(fields).flatMap(([name, field]) => vaultColumnsOfField(field, [...path, name]))
}

function vaultColumnsOfField(field: Field, path: readonly string[]): VaultColumn[] {
  if (field.transient) return []
  switch (field.kind) {
    case 'group':
      return vaultColumnsOfFields(field.fields, path)
    case 'secret': {
      const { sealed, hash } = secretColumns(path)
      return [
        { name: sealed, content: 'sealed', boundTo: [] },
        { name: hash, content: 'number_hash', boundTo: [] },
      ]
    }
    case 'text':
      return field.vault
        ? [{ name: columnName(path), content: field.vault, boundTo: field.boundTo ?? [] }]
        : []
    default:
      return []
  }
}

/** Column type for values of the field. */
export function storedAs(field: ValueField): ColumnType {
  switch (field.kind) {
    case 'money':
    case 'number':
    case 'integer':
    case 'flag':
      return 'integer'
    case 'text':
    case 'email':
    case 'phone':
    case 'postal_code':
    case 'digits':
    case 'secret':
    case 'expiry':
    case 'one_of':
    case 'ref':
    case 'id':
    case 'file':
    case 'date':
    case 'datetime':
    case 'json':
    case 'rows':
      return 'text'
  }
}
