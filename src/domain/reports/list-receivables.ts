import { daysBetween } from '../../platform/calendar/date.js'
import { inOrder } from './read-postings.js'
import { momentsOfDays } from './report-period.js'
import { type ReportContent, type ReportRequest, totalsOfRows } from './report-source.js'

type Bucket = 'not_due' | 'days_30' | 'days_60' | 'days_90' | 'older'

/** Open amounts of a customer at one processing account, in minor units. */
type Receivable = Record<Bucket | 'invoices' | 'total', number> & {
  readonly customer_id: string | null
  readonly processing_id: string | null
}

/**
 * Amounts that customers owe at the end of the period, by the days since they were due. Covers invoices made until
 * then.
 */
export async function listReceivables({
  db,
  report,
  period,
  accounts,
}: ReportRequest): Promise<ReportContent> {
  const { end } = momentsOfDays(period, period.zone)
  if (accounts?.length === 0) return { rows: [], totals: totalsOfRows(report, []) }
  const open = await db
    .selectFrom('invoices as i')
    .innerJoin('line_items as l', 'l.invoice_id', 'i.id')
    .select(['i.id', 'i.customer_id', 'i.processing_id', 'i.due_date'])
    .select(({ fn }) => fn.sum<number>('l.total').as('due'))
    .where('i.created_at', '<', end)
    .where((eb) => eb.or([eb('i.deleted_at', 'is', null), eb('i.deleted_at', '>=', end)]))
    .where('l.created_at', '<', end)
    .where((eb) => eb.or([eb('l.deleted_at', 'is', null), eb('l.deleted_at', '>=', end)]))
    .$if(accounts !== undefined, (query) => query.where('i.processing_id', 'in', [...(accounts ?? [])]))
    .groupBy(['i.id', 'i.customer_id', 'i.processing_id', 'i.due_date'])
    .having(({ fn }) => fn.sum('l.total'), '!=', 0)
    .execute()
  const receivables = new Map<string, Receivable>()
  for (const { customer_id, processing_id, due_date, due } of open) {
    const key = `${customer_id ?? ''} ${processing_id ?? ''}`
    const receivable = receivables.get(key) ?? none(customer_id, processing_id)
    receivable[bucketOf(due_date, period.to)] += due
    receivable.total += due
    receivable.invoices++
    receivables.set(key, receivable)
  }
  const rows = [...receivables].sort(([a], [b]) => inOrder(a, b)).map(([, receivable]) => receivable)
  return { rows, totals: totalsOfRows(report, rows) }
}

function none(customer_id: string | null, processing_id: string | null): Receivable {
  return {
    customer_id,
    processing_id,
    invoices: 0,
    not_due: 0,
    days_30: 0,
    days_60: 0,
    days_90: 0,
    older: 0,
    total: 0,
  }
}

function bucketOf(dueDate: string | null, day: string): Bucket {
  const days = dueDate === null ? 0 : daysBetween(dueDate, day)
  if (days <= 0) return 'not_due'
  if (days <= 30) return 'days_30'
  if (days <= 60) return 'days_60'
  return days <= 90 ? 'days_90' : 'older'
}
