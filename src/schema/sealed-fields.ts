import { columnName, secretColumns } from './columns.js'
import { type Field, type Fields, isValueField } from './field.js'
import type { Sealed } from './seal-rule.js'

/** Sealed column, with its name in the API. */
export interface CountedColumn {
  /** Name as in the API, with a dot between a group and its attributes. */
  readonly name: string
  readonly column: string
  readonly isFlag: boolean
}

/** Sealed columns of fields, sorted by the bytes of their names. */
export function countedColumns(sealed: Sealed, fields: Fields, internal: Fields): readonly CountedColumn[] {
  const { columns, also = [], except = [] } = sealed
  const counts = (field: Field, path: readonly string[], declaredAs: 'field' | 'internal') =>
    columns === 'all' || also.includes(path.join('.')) || isVouchedFor(field, declaredAs)
  return [
    ...flatten(fields).filter(({ field, path }) => counts(field, path, 'field')),
    ...flatten(internal).filter(({ field, path }) => counts(field, path, 'internal')),
  ]
    .flatMap(columnsOf)
    .filter(({ column }) => !except.includes(column))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

interface FoundField {
  readonly path: readonly string[]
  readonly field: Field
}

function flatten(fields: Fields, path: readonly string[] = []): FoundField[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    field.kind === 'group' ? flatten(field.fields, [...path, name]) : [{ path: [...path, name], field }],
  )
}

/** Columns in which a field is stored; empty if it is not stored. */
function columnsOf({ path, field }: FoundField): CountedColumn[] {
  if (field.transient || !isValueField(field)) return []
  if (field.kind !== 'secret')
    return [{ name: path.join('.'), column: columnName(path), isFlag: field.kind === 'flag' }]
  const inside = path.slice(0, -1)
  return Object.values(secretColumns(path.slice(-1))).map((last) => ({
    name: [...inside, last].join('.'),
    column: columnName([...inside, last]),
    isFlag: false,
  }))
}

/**
 * Whether the service vouches for a field: amounts, states, times, references, and texts that the service
 * writes itself.
 */
function isVouchedFor(field: Field, declaredAs: 'field' | 'internal'): boolean {
  switch (field.kind) {
    case 'money':
    case 'number':
    case 'integer':
    case 'flag':
    case 'one_of':
    case 'ref':
    case 'id':
    case 'date':
    case 'datetime':
      return true
    case 'text':
      return field.vault === undefined && (declaredAs === 'internal' || isWrittenByService(field.readonly))
    default:
      return false
  }
}

function isWrittenByService(readonly: Field['readonly']): boolean {
  return readonly !== undefined && readonly !== 'update'
}
