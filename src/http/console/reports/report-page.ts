import type { QueryPair } from '../../../engine/core/request/request.js'
import { objectsIn } from '../../../schema/answer-values.js'
import type { Fields } from '../../../schema/field.js'
import { isObject, type JsonObject } from '../../../schema/json.js'
import { amountIn, formatMoney, moneyWithCurrency } from '../../../schema/money.js'
import { type Html, html } from '../../html/html.js'
import { pageAddress } from '../../html/page-address.js'
import { chartHtml } from '../chart/draw-chart.js'
import {
  type ConsoleAnswer,
  type ConsolePage,
  type ConsoleRequest,
  consoleAddress,
  type Visitor,
} from '../console-page.js'
import { cardHtml } from '../elements/facts.js'
import { actionLink, emptyHtml, headingHtml, tableHtml } from '../elements/list-html.js'
import { plainText, valueHtml } from '../elements/value.js'
import { summaryCards, summaryFigures } from '../home/summary-part.js'
import { reportElsewhere } from '../lists/elsewhere-of.js'
import { namesIn, valueContextOf } from '../lists/value-context.js'
import { reportFile } from './report-file.js'
import { reportForm, reportLinks } from './report-html.js'

/** The columns that plots of reports show; other reports have no plot. */
const PLOTS: Readonly<Record<string, string>> = { summary: 'volume', fees: 'margin' }
/** Beginning of the paths of operations that are reports. */
const REPORTS = 'admin/reports/'
const CHOICES = ['from', 'to', 'account', 'by']
/** Rows that the page shows; the file has all of them. */
const MAX_ROWS = 500

/** The pages of reports: a form, a plot, the rows with their totals, and the file. */
export const reportPage: ConsolePage = {
  matches: ([first, _name, ...more]) => first === 'reports' && more.length === 0,
  async get(request): Promise<ConsoleAnswer> {
    const [, name] = request.path
    const { environment } = request.visitor
    if (name === undefined)
      return { kind: 'see', address: consoleAddress(environment, ['reports', 'summary']) }
    const report = declaredReport(request.visitor, name)
    if (!report) return { kind: 'missing' }
    const query = request.query.filter(([each, value]) => CHOICES.includes(each) && value !== '')
    if (request.query.some(([each, value]) => each === 'as' && value === 'csv'))
      return await reportFile(request, { ...report, query })
    const limit: readonly QueryPair[] = report.isPaged ? [['limit', String(MAX_ROWS)]] : []
    const answer = await request.ask('GET', `/admin/reports/${report.name}`, { query: [...query, ...limit] })
    if (answer.status !== 200) return { kind: 'refused', answer }
    return await pageOf(request, report, query, answer.body)
  },
}

/** A report as its operation declares it. */
interface DeclaredReport {
  readonly name: string
  readonly fields: Fields
  /** Periods that one row can sum up, such as `day`; empty for a report whose rows are not sums. */
  readonly lengths: readonly string[]
  /** Whether an answer may have only a part of the rows. */
  readonly isPaged: boolean
}

function declaredReport({ app }: Visitor, name: string): DeclaredReport | undefined {
  const [operation] = app.model.operationsAt(REPORTS + name)
  if (!operation) return undefined
  const { rows } = operation.output
  const { by } = operation.input
  return {
    name,
    fields: rows?.kind === 'rows' ? rows.fields : {},
    lengths: by?.kind === 'one_of' ? by.values : [],
    isPaged: operation.input['limit'] !== undefined,
  }
}

async function pageOf(
  request: ConsoleRequest,
  report: DeclaredReport,
  query: readonly QueryPair[],
  body: JsonObject,
): Promise<ConsoleAnswer> {
  const { app, environment } = request.visitor
  const address = (name: string, more: readonly QueryPair[] = query) =>
    pageAddress(consoleAddress(environment, ['reports', name], more))
  const text = (name: string) => plainText(body[name] ?? '')
  const title = titleOf(report.name)
  const kept = query.filter(([name]) => name !== 'by')
  const links = app.model.operations
    .filter(({ path }) => path.startsWith(REPORTS))
    .map(({ path }) => path.slice(REPORTS.length))
    .map((name) => ({ label: titleOf(name), address: address(name, kept), isOpen: name === report.name }))
  const form = {
    action: address(report.name, []),
    from: text('from'),
    to: text('to'),
    account: text('account'),
    lengths: report.lengths,
    by: text('by'),
  }
  return {
    kind: 'page',
    title,
    body: html`${headingHtml(title, `${text('from')} to ${text('to')}, in ${text('zone')}`, [
      actionLink(address(report.name, [...query, ['as', 'csv']]), 'CSV'),
    ])}
${reportLinks(links)}
${reportForm(form)}
${plotOf(request, report, body)}
${await rowsOf(request, report, body)}`,
    elsewhere: reportElsewhere(request.visitor, report.name, query),
  }
}

function titleOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** The plot of a report of sums; a summary by day has figures and declines as well. */
function plotOf({ visitor }: ConsoleRequest, { name }: DeclaredReport, body: JsonObject): Html | undefined {
  const plot = PLOTS[name]
  if (plot === undefined) return undefined
  if (name === 'summary' && body['by'] === 'day')
    return html`${summaryFigures(visitor, body)}
<div class="cards">${summaryCards(visitor, body)}</div>`
  const sums = new Map<string, number>()
  for (const row of objectsIn(body, 'rows')) {
    const date = plainText(row['date'] ?? '')
    sums.set(date, (sums.get(date) ?? 0) + (amountIn(row[plot]) ?? 0))
  }
  if (sums.size === 0) return undefined
  const label = titleOf(plot)
  const length = plainText(body['by'] ?? '')
  return cardHtml(
    `${label} by ${length}`,
    chartHtml({
      id: plot,
      kind: 'bars',
      title: `${label} by ${length}`,
      description: `A bar for each ${length}, as high as the sum of its rows.`,
      axis: 'From',
      categories: [...sums.keys()],
      series: [{ label, colour: '1', values: [...sums.values()] }],
      format: moneyWithCurrency,
      brief: (minor) => `$${formatMoney(minor).replace(/\.\d+$/, '')}`,
    }),
  )
}

/** Table of the rows with their totals; at most `MAX_ROWS` rows. */
async function rowsOf(request: ConsoleRequest, report: DeclaredReport, body: JsonObject): Promise<Html> {
  const { visitor } = request
  const { totals, next } = body
  const all = objectsIn(body, 'rows')
  if (all.length === 0) return emptyHtml('Nothing was booked in this period.')
  const fields = Object.entries(report.fields)
  const labels = new Map(objectsIn(body, 'columns').map(({ name, label }) => [name, plainText(label ?? '')]))
  const names = await namesIn(request, ...all.slice(0, MAX_ROWS))
  const context = valueContextOf(visitor, names)
  const cells = (row: JsonObject) => fields.map(([name, field]) => valueHtml(row[name], field, context))
  const sums = isObject(totals) ? totals : {}
  const isCut = all.length > MAX_ROWS || typeof next === 'string'
  const table = tableHtml({
    id: 'report',
    caption: titleOf(report.name),
    columns: fields.map(([name, { kind }]) => ({
      label: labels.get(name) ?? name,
      isNumber: kind === 'money' || kind === 'integer' || kind === 'number',
    })),
    rows: all.slice(0, MAX_ROWS).map(cells),
    ...(typeof next !== 'string' && { totals: ['Total', ...cells(sums).slice(1)] }),
  })
  if (!isCut) return table
  return html`${table}
<p class="faint">These are the first ${Math.min(all.length, MAX_ROWS)} rows; the CSV has all of them.</p>`
}
