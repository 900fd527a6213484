import { objectsIn } from '../../../schema/answer-values.js'
import { isObject, type JsonObject } from '../../../schema/json.js'
import { amountIn, formatMoney, moneyWithCurrency } from '../../../schema/money.js'
import { type Html, html } from '../../html/html.js'
import { pageAddress } from '../../html/page-address.js'
import type { Chart } from '../chart/chart.js'
import { chartHtml } from '../chart/draw-chart.js'
import { consoleAddress, type Visitor } from '../console-page.js'
import { cardHtml } from '../elements/facts.js'
import { tableHtml } from '../elements/list-html.js'
import { amountShown, plainText } from '../elements/value.js'
import { type Figure, figuresHtml } from './home-html.js'
import { datesFrom } from './summary-days.js'

/** Maximum number of reasons of declines that are listed. */
const MAX_REASONS = 8

/** The summary of a period as figures, with those of `today` first. */
export function summaryFigures(visitor: Visitor, report: JsonObject, today?: string): Html {
  const { totals } = report
  const figures = figuresOf(visitor, isObject(totals) ? totals : {})
  if (today === undefined) return figuresHtml(figures)
  const day = objectsIn(report, 'rows').find(({ date }) => date === today) ?? {}
  const note = `${countOf(day, 'payments', 'payment')}, ${countOf(day, 'declined', 'declined', 'declined')}`
  return figuresHtml([{ label: 'Today', value: amountShown(day['volume'] ?? 0), note }, ...figures])
}

/** The summary of a period as cards: plots by day, and reasons of declines. */
export function summaryCards(visitor: Visitor, report: JsonObject): Html {
  const { from, to } = report
  const days = new Map(objectsIn(report, 'rows').map((row) => [plainText(row['date'] ?? ''), row]))
  const dates = datesFrom(plainText(from ?? ''), plainText(to ?? ''))
  const byDate = dates.map((date) => days.get(date) ?? {})
  const categories = dates.map((date) => date.slice(5))
  return html`${cardHtml('Volume by day', chartHtml(volumeChart(categories, byDate)))}
${cardHtml('Payments by day', chartHtml(paymentsChart(categories, byDate)))}
${cardHtml('Declines by reason', declinesHtml(visitor, objectsIn(report, 'declines')))}`
}

function figuresOf({ environment }: Visitor, totals: JsonObject): readonly Figure[] {
  const list = (type: string) => pageAddress(consoleAddress(environment, ['transactions'], [['type', type]]))
  const { success } = totals
  return [
    {
      label: 'Volume',
      value: amountShown(totals['volume'] ?? 0),
      note: countOf(totals, 'payments', 'payment'),
      address: list('payment'),
    },
    {
      label: 'Success',
      value: success === null || success === undefined ? '–' : `${Number(success).toFixed(1)} %`,
      note: decidedNote(totals),
    },
    {
      label: 'Refunded',
      value: amountShown(totals['refunded'] ?? 0),
      note: countOf(totals, 'refunds', 'refund'),
      address: list('refund|credit'),
    },
    {
      label: 'Disputed',
      value: amountShown(totals['disputed'] ?? 0),
      note: countOf(totals, 'disputes', 'dispute'),
      address: list('chargeback'),
    },
  ]
}

/** Number of declines, and of outages where there are any. */
function decidedNote(totals: JsonObject): string {
  const declined = countOf(totals, 'declined', 'declined', 'declined')
  return Number(totals['outages'] ?? 0) > 0
    ? `${declined}, ${countOf(totals, 'outages', 'outage')}`
    : declined
}

function countOf(sums: JsonObject, name: string, one: string, many = `${one}s`): string {
  return `${plainText(sums[name] ?? 0)} ${sums[name] === 1 ? one : many}`
}

function volumeChart(categories: readonly string[], days: readonly JsonObject[]): Chart {
  return {
    id: 'volume',
    kind: 'bars',
    title: 'Volume of payments by day',
    description: 'A bar for each day, as high as the amounts of the payments that were taken.',
    axis: 'Day',
    categories,
    series: [{ label: 'Volume', colour: '1', values: days.map((day) => amountIn(day['volume']) ?? 0) }],
    format: moneyWithCurrency,
    brief: (minor) => `$${formatMoney(minor).replace(/\.\d+$/, '')}`,
  }
}

function paymentsChart(categories: readonly string[], days: readonly JsonObject[]): Chart {
  const values = (name: string) => days.map((day) => Number(day[name] ?? 0))
  return {
    id: 'payments',
    kind: 'stacked',
    title: 'Payments by day, taken and declined',
    description: 'A bar for each day, as high as the number of payments; the part on top was declined.',
    axis: 'Day',
    categories,
    series: [
      { label: 'Taken', colour: '1', values: values('payments') },
      { label: 'Declined', colour: 'bad', values: values('declined') },
    ],
    format: String,
  }
}

function declinesHtml({ environment }: Visitor, declines: readonly JsonObject[]): Html {
  if (declines.length === 0) return html`<p class="faint">No payment was declined.</p>`
  const address = (code: string) =>
    pageAddress(
      consoleAddress(
        environment,
        ['transactions'],
        [
          ['status', 'declined'],
          ['status_code', code],
        ],
      ),
    )
  return tableHtml({
    id: 'declines',
    caption: 'Declines by reason',
    columns: [
      { label: 'Reason' },
      { label: 'Payments', isNumber: true },
      { label: 'Amount', isNumber: true },
    ],
    rows: declines
      .slice(0, MAX_REASONS)
      .map(({ code, reason, payments, amount }) => [
        html`<a href="${address(plainText(code ?? ''))}"><bdi>${plainText(reason ?? code ?? 'unknown')}</bdi></a>`,
        plainText(payments ?? 0),
        amountShown(amount ?? 0),
      ]),
  })
}
