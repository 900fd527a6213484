import type { QueryPair } from '../../../engine/core/request/request.js'
import { BUCKETS, type Report, rowFieldsOf } from '../../../resources/reports/report.js'
import { reports } from '../../../resources/reports/report-table.js'
import type { JsonObject } from '../../../schema/json.js'
import { amountIn, formatMoney, moneyWithCurrency } from '../../../schema/money.js'
import { chartHtml } from '../../views/console/chart/draw-chart.js'
import { cardHtml } from '../../views/console/facts.js'
import { actionLink, emptyHtml, headingHtml, tableHtml } from '../../views/console/list-html.js'
import { reportForm, reportLinks } from '../../views/console/report-html.js'
import { isObject, textOf, valueHtml } from '../../views/console/value.js'
import { type Html, html } from '../../views/html.js'
import { pageAddress } from '../../views/page-address.js'
import { type ConsoleAnswer, type ConsolePage, type ConsoleRequest, consoleAddress } from '../console-page.js'
import { summaryCards, summaryFigures } from '../home/summary-part.js'
import { valueContextOf } from '../lists/value-context.js'
import { reportFile } from './report-file.js'

const CHOICES = ['from', 'to', 'account', 'by']
/** Rows that the page shows; the file has all of them. */
const MAX_ROWS = 500

/** The pages of reports: the choices, a plot, the rows with their totals, and the file. */
export const reportPage: ConsolePage = {
  matches: ([first, name, ...more]) =>
    first === 'reports' && more.length === 0 && (name === undefined || findReport(name) !== undefined),
  async get(request): Promise<ConsoleAnswer> {
    const [, name] = request.path
    const { environment } = request.visitor
    const report = name === undefined ? undefined : findReport(name)
    if (!report) return { kind: 'see', address: consoleAddress(environment, ['reports', 'summary']) }
    const query = request.query.filter(([each, value]) => CHOICES.includes(each) && value !== '')
    if (request.query.some(([each, value]) => each === 'as' && value === 'csv'))
      return await reportFile(request, { report, query })
    const answer = await request.ask('GET', `/admin/reports/${report.name}`, { query })
    if (answer.status !== 200) return { kind: 'refused', answer }
    return pageOf(request, report, query, answer.body)
  },
}

function findReport(name: string): Report | undefined {
  return Object.values(reports).find((report) => report.name === name)
}

function pageOf(
  request: ConsoleRequest,
  report: Report,
  query: readonly QueryPair[],
  body: JsonObject,
): ConsoleAnswer {
  const { environment } = request.visitor
  const address = (name: string, more: readonly QueryPair[] = query) =>
    pageAddress(consoleAddress(environment, ['reports', name], more))
  const text = (name: string) => textOf(body[name] ?? '')
  const title = titleOf(report.name)
  const kept = query.filter(([name]) => name !== 'by')
  const links = Object.values(reports).map(({ name }) => ({
    label: titleOf(name),
    address: address(name, kept),
    isOpen: name === report.name,
  }))
  const form = {
    action: address(report.name, []),
    from: text('from'),
    to: text('to'),
    account: text('account'),
    lengths: report.rows.of === 'sums' ? BUCKETS : [],
    by: text('by'),
  }
  const words = query.map(([name, value]) => ` --${name} ${value}`).join('')
  const search = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString()
  return {
    kind: 'page',
    title,
    body: html`${headingHtml(title, `${text('from')} to ${text('to')}, in ${text('zone')}`, [
      actionLink(address(report.name, [...query, ['as', 'csv']]), 'CSV'),
    ])}
${reportLinks(links)}
${reportForm(form)}
${plotOf(request, report, body)}
${rowsOf(request, report, body)}`,
    elsewhere: {
      command: `payctl reports ${report.name}${words}`,
      path: `/admin/reports/${report.name}${search === '' ? '' : `?${search}`}`,
    },
  }
}

function titleOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

function objectsOf(value: JsonObject[string] | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** The plot of a report of sums; a summary by day has figures and declines as well. */
function plotOf({ visitor }: ConsoleRequest, { rows, columns }: Report, body: JsonObject): Html | undefined {
  if (rows.of !== 'sums') return undefined
  if (!rows.byAccount && body['by'] === 'day')
    return html`${summaryFigures(visitor, body)}
<div class="cards">${summaryCards(visitor, body)}</div>`
  const sums = new Map<string, number>()
  for (const row of objectsOf(body['rows'])) {
    const date = textOf(row['date'] ?? '')
    sums.set(date, (sums.get(date) ?? 0) + (amountIn(row[rows.plot]) ?? 0))
  }
  if (sums.size === 0) return undefined
  const { label = rows.plot } = columns[rows.plot] ?? {}
  const length = textOf(body['by'] ?? '')
  return cardHtml(
    `${label} by ${length}`,
    chartHtml({
      id: rows.plot,
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

/** The rows with their totals; of many the first ones. */
function rowsOf({ visitor }: ConsoleRequest, report: Report, { rows, totals, next }: JsonObject): Html {
  const all = objectsOf(rows)
  if (all.length === 0)
    return emptyHtml('Nothing was booked in this period.', 'payctl reports journal --from … --to …')
  const fields = Object.entries(rowFieldsOf(report))
  const context = valueContextOf(visitor)
  const cells = (row: JsonObject) => fields.map(([name, field]) => valueHtml(row[name], field, context))
  const sums = isObject(totals) ? totals : {}
  const isCut = all.length > MAX_ROWS || typeof next === 'string'
  const table = tableHtml({
    id: 'report',
    caption: titleOf(report.name),
    columns: fields.map(([name, { kind }]) => ({
      label: report.columns[name]?.label ?? name,
      isNumber: kind === 'money' || kind === 'integer' || kind === 'number',
    })),
    rows: all.slice(0, MAX_ROWS).map(cells),
    ...(typeof next !== 'string' && { totals: ['Total', ...cells(sums).slice(1)] }),
  })
  if (!isCut) return table
  return html`${table}
<p class="faint">These are the first ${Math.min(all.length, MAX_ROWS)} rows; the CSV has all of them.</p>`
}
