import type { Work } from '../../../engine/core/write/work.js'
import type { InvoiceRow } from '../../../engine/store/database/tables.js'
import { dateOf, datetimeOf, millisecondsOf } from '../../../schema/datetime.js'
import { numberEnd } from '../../billing/invoices/invoice-number.js'

/** Positions that are in use, each as its series and number. */
export type TakenNumbers = ReadonlySet<string>

/** Finds which positions directly before those of some invoices are taken; deleted invoices count. */
export async function numbersBefore(
  db: Work['tx']['db'],
  invoices: readonly InvoiceRow[],
): Promise<TakenNumbers> {
  const rows = await db
    .selectFrom('invoices')
    .select(['number_series', 'number_position'])
    .where('number_series', 'in', [...new Set(invoices.map((row) => row.number_series ?? ''))])
    .where('number_position', 'in', [...new Set(invoices.map((row) => (row.number_position ?? 0) - 1))])
    .execute()
  return new Set(rows.map((row) => keyOf(row.number_series, Number(row.number_position))))
}

/**
 * The number of an invoice shows its position in the series, and another invoice has the position before it. See
 * docs/money.md, "Invoices".
 */
export function numberProblems(invoice: InvoiceRow, taken: TakenNumbers): string[] {
  const { number, number_series: series, number_position: position, created_at: at } = invoice
  if (number === null || series === null || position === null || position < 1)
    return [`Its number is ${number}, at position ${position} of ${series}`]
  const year = series.slice(-4)
  const isWhole = number.endsWith(`-${numberEnd(year, position)}`) && isYearAt(year, at)
  return [
    ...(isWhole ? [] : [`Its number is ${number}, at position ${position} of ${series}, made at ${at}`]),
    ...(position === 1 || taken.has(keyOf(series, position - 1))
      ? []
      : [`Its number is ${number}, and no invoice has the one before it`]),
  ]
}

/** Whether a moment was in a year somewhere on earth. */
function isYearAt(year: string, at: string): boolean {
  const instant = millisecondsOf(at)
  return [instant - FARTHEST, instant + FARTHEST].some((each) => dateOf(datetimeOf(each)).startsWith(year))
}

/** Largest offset of a local time from UTC, in milliseconds. */
const FARTHEST = 14 * 3_600_000

function keyOf(series: string | null, position: number): string {
  return `${series} ${position}`
}
