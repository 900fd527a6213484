import type { QueryPair } from '../../../engine/core/request/request.js'
import { objectsIn } from '../../../schema/answer-values.js'
import { isObject, type JsonObject } from '../../../schema/json.js'
import { type Html, html } from '../../html/html.js'
import { pageAddress } from '../../html/page-address.js'
import { type ConsoleAnswer, type ConsolePage, type ConsoleRequest, consoleAddress } from '../console-page.js'
import { cardHtml } from '../elements/facts.js'
import { headingHtml } from '../elements/list-html.js'
import { plainText } from '../elements/value.js'
import { commandOf } from '../lists/elsewhere-of.js'
import { rowsHtml } from '../lists/list-rows.js'
import { WAITING_DISPUTES } from '../money/dispute-pages.js'
import { attentionHtml } from './home-html.js'
import { daysOf, SUMMARY_DAYS } from './summary-days.js'
import { summaryCards, summaryFigures } from './summary-part.js'

/** Rows of each list of the page. */
const MAX_ROWS = 5

/** The first page: what needs attention, the last days, deposits and disputes. */
export const consoleHome: ConsolePage = {
  matches: (path) => path.length === 0,
  async get(request): Promise<ConsoleAnswer> {
    const status = await request.ask('GET', '/admin/status')
    if (status.status !== 200) return { kind: 'refused', answer: status }
    const { now, lines } = status.body
    const days = daysOf(plainText(now ?? ''), request.visitor.zone)
    const [summary, deposits, disputes] = await Promise.all([
      request.ask('GET', '/admin/reports/summary', {
        query: [
          ['from', days.from],
          ['to', days.to],
        ],
      }),
      depositsCard(request),
      disputesCard(request),
    ])
    const isSummed = summary.status === 200
    const attention = Array.isArray(lines) ? lines.filter(isObject).map(lineOf) : []
    return {
      kind: 'page',
      title: 'Home',
      body: html`${headingHtml('Home', `The last ${SUMMARY_DAYS} days, to ${days.to}`)}
${cardHtml('Needs attention', attentionHtml(attention))}
${isSummed ? summaryFigures(request.visitor, summary.body, days.to) : undefined}
<div class="cards">
${isSummed ? summaryCards(request.visitor, summary.body) : undefined}
${deposits}
${disputes}
</div>`,
      elsewhere: { command: commandOf(request.visitor.environment, ['status']), path: '/admin/status' },
    }
  },
}

function lineOf({ check, state, found, command }: JsonObject) {
  return {
    check: plainText(check ?? ''),
    state: plainText(state ?? ''),
    found: plainText(found ?? ''),
    command: plainText(command ?? ''),
  }
}

/** Card with the newest deposits, and a link to the payments that wait for a deposit. */
async function depositsCard(request: ConsoleRequest): Promise<Html> {
  const waiting: readonly QueryPair[] = [
    ['type', 'payment'],
    ['status', 'processed'],
    ['funding_status', 'pending|captured'],
  ]
  const address = pageAddress(consoleAddress(request.visitor.environment, ['transactions'], waiting))
  const columns = ['created_at', 'period', 'amount', 'status']
  return cardHtml(
    'Deposits',
    html`${await newest(request, ['deposits'], [['type', 'deposit']], columns)}
<p><a href="${address}">Payments that wait for a deposit</a></p>`,
  )
}

/** Disputes that wait for an answer, the first deadline first. */
async function disputesCard(request: ConsoleRequest): Promise<Html> {
  const columns = ['due_by', 'stage', 'amount', 'reason', 'transaction_id']
  const list = await newest(request, ['disputes'], WAITING_DISPUTES, columns, 'dispute')
  return cardHtml('Disputes', list, 'wide')
}

/** The first rows of a list and a link to the whole list. The rows are transactions unless `of` says otherwise. */
async function newest(
  request: ConsoleRequest,
  path: readonly string[],
  filters: readonly QueryPair[],
  columns: readonly string[],
  of: 'transaction' | 'dispute' = 'transaction',
): Promise<Html> {
  const { environment, app } = request.visitor
  const resource = app.model.get(of)
  const answer = await request.ask('GET', `/${resource.plural}`, {
    query: [...filters, ['fields', ['id', ...columns].join()], ['limit', String(MAX_ROWS)]],
  })
  const rows = objectsIn(answer.body)
  const [heading = ''] = path
  if (rows.length === 0)
    return html`<p class="faint">${of === 'dispute' ? 'No dispute waits for an answer.' : `There are no ${heading}.`}</p>`
  const table = {
    id: `newest-${heading}`,
    columns,
    options: { resource, heading: `Newest ${heading}` },
    request: { ...request, path, query: [] },
  }
  return html`${await rowsHtml(table, rows, true)}
<p><a href="${pageAddress(consoleAddress(environment, path))}">All ${heading}</a></p>`
}
