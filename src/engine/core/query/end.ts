import { type Expression, type RawBuilder, sql } from 'kysely'
import { columnName, type Stored } from '../../../schema/columns.js'
import type { DerivedField, DerivedTest } from '../../../schema/field.js'
import { shownColumn, unsetFlag } from '../../../schema/wire.js'
import { asText, jsonText, wholeJson } from '../../store/database/differences.js'
import type { SqlDialect } from '../../store/database/store.js'
import type { DatePart, TargetEnd } from './target.js'

/** Position and length of each part in a stored date or datetime. */
const PLACES: Readonly<Record<DatePart, readonly [from: number, length: number]>> = {
  year: [1, 4],
  month: [6, 2],
  day: [9, 2],
  hour: [12, 2],
}

/**
 * Value of a target on rows of `table`. An attribute of a list's items has no single value and is excluded.
 */
export function endOf(
  end: Exclude<TargetEnd, { kind: 'item' }>,
  table: string,
  at: { readonly dialect: SqlDialect; readonly now: string },
): Expression<Stored> {
  switch (end.kind) {
    case 'value': {
      const column = `${table}.${shownColumn(end.field, end.path)}`
      if (end.field.kind === 'json') return wholeJson(column)
      const unset = end.field.kind === 'flag' ? unsetFlag(end.field) : null
      const stored = sql.ref<Stored>(column)
      return unset === null ? stored : sql<Stored>`coalesce(${stored}, ${sql.lit(unset)})`
    }
    case 'derived':
      return caseOf(end.field, table, at)
    case 'constant':
      return sql<Stored>`cast(${sql.lit(end.value)} as text)`
    case 'inside':
      return jsonText(at.dialect, `${table}.${columnName(end.path)}`, end.keys)
    case 'part': {
      const [from, length] = PLACES[end.part]
      const column = sql.ref(`${table}.${columnName(end.path)}`)
      return sql<Stored>`cast(substr(${column}, ${sql.lit(from)}, ${sql.lit(length)}) as integer)`
    }
  }
}

/**
 * Derived field as SQL on rows of `table`, at `now`. It gives the same value as `derive` for a row in
 * memory.
 */
function caseOf(
  { cases, otherwise }: DerivedField,
  table: string,
  { dialect, now }: { readonly dialect: SqlDialect; readonly now: string },
): Expression<Stored> {
  const branches = cases.map(({ is, when }) => {
    const tests = when.map((test) => testOf(test, table, now))
    return sql`when ${sql.join(tests, sql` and `)} then ${sql.lit(is)}`
  })
  return asText(dialect, sql`case ${sql.join(branches, sql` `)} else ${sql.lit(otherwise)} end`)
}

function testOf({ column, operator, value }: DerivedTest, table: string, now: string): RawBuilder<unknown> {
  if (operator === 'unset') return sql`${sql.ref(`${table}.${column}`)} is null`
  const expected = value === 'now' ? sql.val(now) : sql.lit(value)
  return sql`${sql.ref(`${table}.${column}`)} ${sql.raw(operator)} ${expected}`
}
