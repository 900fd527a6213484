import { invalidAttributes } from '../../engine/core/request/api-error.js'
import type { AdminRule, AdminRules } from '../../engine/core/write/rule.js'
import { BUCKETS, PAGE_SIZE, type Report } from '../../resources/reports/report.js'
import { type ReportName, reports } from '../../resources/reports/report-table.js'
import type { PlainFields } from '../../schema/admin-operation.js'
import type { AnswerOf, InputOf } from '../../schema/types.js'
import { listDeposits } from './list-deposits.js'
import { listDisputes } from './list-disputes.js'
import { listReceivables } from './list-receivables.js'
import { listStatements } from './list-statements.js'
import { measureSums } from './measure-sums.js'
import { pagesOfDays } from './page-postings.js'
import { cursorOf, type ReportRow, type ReportStart, readCursor } from './report-cursor.js'
import { momentsOfDays, periodOf, type ReportPeriod } from './report-period.js'
import { reportAccounts, reportZone } from './report-scope.js'
import { type ReportContent, type ReportRequest, totalsOfRows } from './report-source.js'

/** The rules of all reports. */
export const reportRules: Pick<AdminRules, `report_${ReportName}`> = {
  report_summary: ruleOf(reports.summary),
  report_statement: ruleOf(reports.statement),
  report_deposits: ruleOf(reports.deposits),
  report_fees: ruleOf(reports.fees),
  report_disputes: ruleOf(reports.disputes),
  report_aging: ruleOf(reports.aging),
  report_journal: ruleOf(reports.journal),
}

function ruleOf(report: Report): AdminRule<InputOf<PlainFields>, AnswerOf<PlainFields>> {
  const { rows, columns } = report
  return {
    async perform(work, input) {
      const given = (name: string) => textOf(input[name])
      const account = given('account')
      const accounts = await reportAccounts(work, account)
      const period = periodOf(
        { from: given('from'), to: given('to') },
        await reportZone(work, accounts),
        work.milliseconds,
      )
      const usual = rows.of === 'sums' && rows.byAccount ? 'month' : 'day'
      const by = BUCKETS.find((length) => length === input['by']) ?? usual
      const start = startOf(given('after'), period)
      const limit = typeof input['limit'] === 'number' ? input['limit'] : PAGE_SIZE.usual
      const content = await contentOf({ db: work.tx.db, report, period, accounts, by, start, limit })
      return {
        name: report.name,
        ...period,
        account,
        by,
        columns: Object.entries(columns).map(([name, { label, field }]) => ({
          name,
          label,
          kind: field.kind,
        })),
        rows: content.rows,
        totals: content.totals,
        ...content.more,
        next: content.next ? cursorOf(content.next) : null,
      }
    },
  }
}

/** Reads the start of a page from `after`. Throws `InvalidAttributes` unless it is the `next` of an answer for the period. */
function startOf(after: string | null, period: ReportPeriod): ReportStart | undefined {
  if (after === null) return undefined
  const { start: first, end } = momentsOfDays(period, period.zone)
  const start = readCursor(after)
  if (!start || start.moment <= first || start.moment >= end)
    throw invalidAttributes({ after: 'Must be the next of an answer for the same period' })
  return start
}

/** A value of the input that is a text; null if it was omitted. */
function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

async function contentOf(request: ReportRequest): Promise<ReportContent> {
  const { rows } = request.report
  switch (rows.of) {
    case 'sums':
      return await measureSums(request, rows.byAccount)
    case 'statements':
      return await listStatements(request, rows.account)
    case 'postings':
      return await listPostings(request)
    case 'deposits':
      return await listDeposits(request)
    case 'disputes':
      return await listDisputes(request)
    case 'receivables':
      return await listReceivables(request)
  }
}

/** The postings of the period, oldest first. */
async function listPostings(request: ReportRequest): Promise<ReportContent> {
  const { report, start, limit } = request
  const rows: ReportRow[] = []
  for await (const { date, postings, next } of pagesOfDays(request)) {
    for (const { id, kind, object_id, processing_id, currency, ...posting } of postings) {
      const { from_account, to_account, amount, created_at: booked_at } = posting
      const accounts = { from_account, to_account }
      rows.push({
        booked_at,
        date,
        processing_id,
        kind,
        object_id,
        ...accounts,
        amount,
        currency,
        posting_id: id,
      })
    }
    if (rows.length < limit || next === undefined) continue
    const totals = totalsOfRows(report, rows, start?.totals)
    return { rows, totals, next: { moment: next, totals } }
  }
  return { rows, totals: totalsOfRows(report, rows, start?.totals) }
}
