import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Stored } from '../../../schema/columns.js'
import { NUMBER_DECIMALS } from '../../../schema/read.js'
import type { Aggregate } from './call.js'
import { fieldOf } from './target.js'

/** The SQL of a function of many rows; exact in whole numbers, and the same on both databases. */
export function aggregateOf(
  { operation, of, field }: Aggregate,
  column: Expression<unknown>,
): RawBuilder<Stored> {
  switch (operation) {
    case 'count':
      return of ? sql<Stored>`count(${column})` : sql<Stored>`count(*)`
    case 'min':
      return sql<Stored>`min(${column})`
    case 'max':
      return sql<Stored>`max(${column})`
    case 'sum':
      return totalOf(column)
    case 'avg': {
      const hasDecimals = field.kind === 'number' && of && fieldOf(of.end).kind === 'integer'
      return meanOf(column, hasDecimals ? 10 ** NUMBER_DECIMALS : 1)
    }
  }
}

/**
 * Sums are added in two halves, as a sum of SQLite fails when it outgrows 64 bits: multiples of `LIMB`, and remainders.
 * A sum that is too large to be exact becomes `TOO_MUCH`, which is beyond every safe integer.
 */
const LIMB = 2 ** 20
const MAX_LIMBS = 2 ** 33
const TOO_MUCH = 2 ** 54

function totalOf(column: Expression<unknown>): RawBuilder<Stored> {
  return bounded(column, MAX_LIMBS, exactly(column))
}

/** The average in units of which `scale` make one of the column's, rounded half away from zero as all money is. */
function meanOf(column: Expression<unknown>, scale: number): RawBuilder<Stored> {
  const total = exactly(column)
  const count = sql`count(${column})`
  const half = sql`case when ${total} < 0 then -${count} else ${count} end`
  const mean = sql<Stored>`(${total} * ${sql.lit(2 * scale)} + ${half}) / nullif(2 * ${count}, 0)`
  return bounded(column, Math.floor(MAX_LIMBS / scale), mean)
}

function exactly(column: Expression<unknown>): RawBuilder<Stored> {
  return sql<Stored>`(${lots(column)} * ${sql.lit(LIMB)} + cast(sum(${column} % ${sql.lit(LIMB)}) as bigint))`
}

function bounded(column: Expression<unknown>, most: number, value: Expression<Stored>): RawBuilder<Stored> {
  const [limit, tooMuch] = [sql.lit(most), sql.lit(TOO_MUCH)]
  const count = lots(column)
  return sql<Stored>`case when ${count} > ${limit} then ${tooMuch} when ${count} < -${limit} then -${tooMuch} else ${value} end`
}

function lots(column: Expression<unknown>): Expression<number> {
  return sql<number>`cast(sum(${column} / ${sql.lit(LIMB)}) as bigint)`
}
