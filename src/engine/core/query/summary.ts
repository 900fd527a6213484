import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Stored } from '../../../schema/columns.js'
import { NUMBER_DECIMALS } from '../../../schema/read.js'
import type { Aggregate } from './call.js'
import { fieldOf } from './target.js'

/**
 * Partial result from which functions of many rows are computed. A sum is stored in two halves: multiples of
 * `LIMB`, and remainders. A plain sum in SQLite fails beyond 64 bits.
 */
export type SummaryPart = 'count' | 'least' | 'greatest' | 'limbs' | 'rest'
type PartOf = (part: SummaryPart) => RawBuilder<Stored>

const LIMB = 2 ** 20
const MAX_LIMBS = 2 ** 33
/** Stands in for a sum that is too large to be exact; greater than every safe integer. */
const TOO_MUCH = 2 ** 54

/** Partial results that a function requires. */
export function partsOfAggregate({ operation }: Aggregate): readonly SummaryPart[] {
  switch (operation) {
    case 'count':
      return ['count']
    case 'min':
      return ['least']
    case 'max':
      return ['greatest']
    case 'sum':
      return ['limbs', 'rest']
    case 'avg':
      return ['limbs', 'rest', 'count']
  }
}

/** Partial result of a column's values; without a column, the number of rows. */
export function partOfColumn(column: Expression<unknown> | undefined, part: SummaryPart): RawBuilder<Stored> {
  if (!column) return sql<Stored>`count(*)`
  switch (part) {
    case 'count':
      return sql<Stored>`count(${column})`
    case 'least':
      return sql<Stored>`min(${column})`
    case 'greatest':
      return sql<Stored>`max(${column})`
    case 'limbs':
      return sql<Stored>`cast(sum(${column} / ${sql.lit(LIMB)}) as bigint)`
    case 'rest':
      return sql<Stored>`cast(sum(${column} % ${sql.lit(LIMB)}) as bigint)`
  }
}

/** Combines the partial results of several sets of rows into one. */
export function partOfParts(column: Expression<unknown>, part: SummaryPart): RawBuilder<Stored> {
  switch (part) {
    case 'count':
      return sql<Stored>`coalesce(sum(${column}), 0)`
    case 'least':
    case 'greatest':
      return partOfColumn(column, part)
    case 'limbs':
    case 'rest':
      return sql<Stored>`sum(${column})`
  }
}

/** SQL of a function of many rows. It is exact for whole numbers, and the same on both databases. */
export function aggregateOf({ operation, of, field }: Aggregate, part: PartOf): RawBuilder<Stored> {
  switch (operation) {
    case 'count':
      return part('count')
    case 'min':
      return part('least')
    case 'max':
      return part('greatest')
    case 'sum':
      return bounded(part('limbs'), MAX_LIMBS, exactly(part))
    case 'avg': {
      const hasDecimals = field.kind === 'number' && of && fieldOf(of.end).kind === 'integer'
      return meanOf(part, hasDecimals ? 10 ** NUMBER_DECIMALS : 1)
    }
  }
}

/** Average, multiplied by `scale` and rounded half away from zero, as all money is. */
function meanOf(part: PartOf, scale: number): RawBuilder<Stored> {
  const total = exactly(part)
  const count = part('count')
  const half = sql`case when ${total} < 0 then -${count} else ${count} end`
  const mean = sql<Stored>`(${total} * ${sql.lit(2 * scale)} + ${half}) / nullif(2 * ${count}, 0)`
  return bounded(part('limbs'), Math.floor(MAX_LIMBS / scale), mean)
}

function exactly(part: PartOf): RawBuilder<Stored> {
  return sql<Stored>`(${part('limbs')} * ${sql.lit(LIMB)} + ${part('rest')})`
}

function bounded(limbs: Expression<Stored>, most: number, value: Expression<Stored>): RawBuilder<Stored> {
  const limit = sql.lit(most)
  const tooMuch = sql.lit(TOO_MUCH)
  return sql<Stored>`case when ${limbs} > ${limit} then ${tooMuch} when ${limbs} < -${limit} then -${tooMuch} else ${value} end`
}
