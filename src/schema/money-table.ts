import { columnName } from './columns.js'
import type { Field, Fields } from './field.js'
import { attributesOf, type Resource, tableNameOf } from './resource.js'

/** A field about money: its name, and the column where it is stored. */
export interface MoneyColumn {
  /** As the interface names it, with a dot before what is inside of a group. */
  readonly name: string
  readonly column: string
  readonly isFlag: boolean
}

/** A table whose rows are about money. */
export interface MoneyTable {
  /** What a row of it is, in the interface's word. */
  readonly object: string
  readonly table: string
  /** By their names, in the order of their bytes. */
  readonly columns: readonly MoneyColumn[]
}

/**
 * The tables about money: of every resource with an amount, and of what those name (the schedule that bills, the
 * method that pays). A view is what it views.
 */
export function moneyTablesOf(declarations: readonly Resource[]): readonly MoneyTable[] {
  const byName = new Map(declarations.map((declaration) => [declaration.name, declaration]))
  const original = (name: string) => byName.get(byName.get(name)?.view?.of ?? name)
  const amounts = declarations.filter((declaration) => fieldsOf(declaration).some(isAmount))
  const names = amounts.flatMap((declaration) => [
    declaration.name,
    ...fieldsOf(declaration).flatMap(({ field }) => (field.kind === 'ref' ? [field.to] : [])),
  ])
  const found = new Set(names.flatMap((name) => original(name) ?? []))
  return [...found].map(moneyTableOf)
}

/** The table of one declaration, whether or not it is about money. */
export function moneyTableOf(declaration: Resource): MoneyTable {
  return {
    object: declaration.name,
    table: tableNameOf(declaration),
    columns: moneyColumnsOf(
      { ...attributesOf(declaration), deleted_at: { kind: 'datetime' } },
      declaration.internal,
    ),
  }
}

/**
 * The columns of fields whose value the service vouches for: amounts, states, times and references, and texts that it
 * writes by itself. What clients say of themselves is left out, and so is what is sealed.
 */
export function moneyColumnsOf(fields: Fields, internal: Fields = {}): readonly MoneyColumn[] {
  const found = [
    ...flatten(fields).filter(({ field }) => isVouchedFor(field, 'field')),
    ...flatten(internal).filter(({ field }) => isVouchedFor(field, 'internal')),
  ]
  return found
    .map(({ path, field }) => ({
      name: path.join('.'),
      column: columnName(path),
      isFlag: field.kind === 'flag',
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

interface FoundField {
  readonly path: readonly string[]
  readonly field: Field
}

function fieldsOf(declaration: Resource): readonly FoundField[] {
  return [...flatten(attributesOf(declaration)), ...flatten(declaration.internal ?? {})]
}

function flatten(fields: Fields, path: readonly string[] = []): FoundField[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    field.kind === 'group' ? flatten(field.fields, [...path, name]) : [{ path: [...path, name], field }],
  )
}

function isAmount({ field }: FoundField): boolean {
  return field.kind === 'money' && !field.transient
}

function isVouchedFor(field: Field, declaredAs: 'field' | 'internal'): boolean {
  if (field.transient) return false
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
