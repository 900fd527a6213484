import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Stored } from '../../../schema/columns.js'
import type { DerivedField, DerivedTest } from '../../../schema/field.js'
import { asText } from '../../store/database/differences.js'
import type { Dialect } from '../../store/database/store.js'

/** A derived field as SQL on rows of `table`, at `now`: what `derive` says of a row in memory. */
export function caseOf(
  { cases, otherwise }: DerivedField,
  table: string,
  { dialect, now }: { readonly dialect: Dialect; readonly now: string },
): Expression<Stored> {
  const branches = cases.map(({ is, when }) => {
    const tests = when.map((test) => testOf(test, table, now))
    return sql`when ${sql.join(tests, sql` and `)} then ${sql.lit(is)}`
  })
  return asText(dialect, sql`case ${sql.join(branches, sql` `)} else ${sql.lit(otherwise)} end`)
}

function testOf({ column, operator, value }: DerivedTest, table: string, now: string): RawBuilder<unknown> {
  const wanted = value === 'now' ? sql.val(now) : sql.lit(value)
  return sql`${sql.ref(`${table}.${column}`)} ${sql.raw(operator)} ${wanted}`
}
