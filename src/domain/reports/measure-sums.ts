import type { BookedMeasure, Measure, Report } from '../../resources/reports/report.js'
import { OUTAGE_CODES, statusMessage } from '../../schema/status-codes.js'
import { sumsOf } from './day-sums.js'
import { DECLINED, type JournalSum } from './live-sums.js'
import { inOrder } from './read-postings.js'
import type { ReportRow } from './report-cursor.js'
import { bucketsOf } from './report-period.js'
import type { ReportContent, ReportRequest } from './report-source.js'

/** 100 percent, in ten-thousandths of one percent. */
const WHOLE = 1_000_000

/** Rows of sums, by days, weeks or months, and by account if the report says so. */
export async function measureSums(request: ReportRequest, byAccount: boolean): Promise<ReportContent> {
  const { db, report, period, accounts, by } = request
  const buckets = bucketsOf(period, by)
  const sums = await sumsOf(db, { zone: period.zone, accounts }, buckets)
  const rows = buckets.flatMap(({ from: date }, index) => {
    const ofBucket = sums[index] ?? []
    if (!byAccount) return [{ date, ...figuresOf(report, ofBucket) }]
    return accountsIn(ofBucket).map((id) => ({
      date,
      processing_id: id,
      ...figuresOf(
        report,
        ofBucket.filter((sum) => sum.processing_id === id),
      ),
    }))
  })
  const all = sums.flat()
  const totals = figuresOf(report, all)
  return report.more ? { rows, totals, more: { declines: declinesIn(all) } } : { rows, totals }
}

function accountsIn(sums: readonly JournalSum[]): readonly (string | null)[] {
  const ids = new Set(sums.filter(({ kind }) => kind !== DECLINED).map(({ processing_id: id }) => id))
  return [...ids].sort((a, b) => inOrder(a ?? '', b ?? ''))
}

/** The measures of a report over some sums. A measure may use the measures above it. */
function figuresOf({ columns }: Report, sums: readonly JournalSum[]): ReportRow {
  const figures: Record<string, number | null> = {}
  for (const [name, { measure }] of Object.entries(columns))
    if (measure) figures[name] = figureOf(measure, sums, (other) => figures[other] ?? 0)
  return figures
}

function figureOf(
  measure: Measure,
  sums: readonly JournalSum[],
  figure: (column: string) => number,
): number | null {
  switch (measure.of) {
    case 'amount':
      return booked(measure, sums, ({ amount }) => amount)
    case 'count':
      return booked(measure, sums, ({ number }) => number)
    case 'declines':
      return numberOf(sums.filter(isDecided))
    case 'outages':
      return numberOf(sums.filter((sum) => isDeclined(sum) && !isDecided(sum)))
    case 'rest':
      return measure.less.reduce((rest, column) => rest - figure(column), figure(measure.from))
    case 'share': {
      const part = figure(measure.part)
      const all = part + figure(measure.beside)
      return part < 0 || all <= 0 ? null : Math.round((part * WHOLE) / all)
    }
  }
}

function booked(
  { types, from, to }: BookedMeasure,
  sums: readonly JournalSum[],
  value: (sum: JournalSum) => number,
): number {
  const fits = (account: string | undefined, actual: string) => account === undefined || account === actual
  return sums.reduce((total, sum) => {
    if (isDeclined(sum) || (types && !types.includes(sum.kind))) return total
    if (fits(from, sum.from_account) && fits(to, sum.to_account)) return total + value(sum)
    return fits(to, sum.from_account) && fits(from, sum.to_account) ? total - value(sum) : total
  }, 0)
}

function isDeclined({ kind }: JournalSum): boolean {
  return kind === DECLINED
}

/** Whether the sum is of payments that a bank or a rule has declined, and not an outage. */
function isDecided(sum: JournalSum): boolean {
  return isDeclined(sum) && !OUTAGE_CODES.has(sum.from_account)
}

function numberOf(sums: readonly JournalSum[]): number {
  return sums.reduce((sum, { number }) => sum + number, 0)
}

function declinesIn(sums: readonly JournalSum[]): readonly ReportRow[] {
  const byCode = new Map<string, { payments: number; amount: number }>()
  for (const { from_account: code, number, amount } of sums.filter(isDecided)) {
    const known = byCode.get(code) ?? { payments: 0, amount: 0 }
    byCode.set(code, { payments: known.payments + number, amount: known.amount + amount })
  }
  return [...byCode]
    .map(([code, figures]) => ({ code, reason: statusMessage(code), ...figures }))
    .sort((a, b) => b.payments - a.payments || inOrder(a.code, b.code))
}
