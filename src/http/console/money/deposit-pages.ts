import { answeredText, objectsIn } from '../../../schema/answer-values.js'
import type { JsonObject } from '../../../schema/json.js'
import { pageAddress } from '../../html/page-address.js'
import { type ConsolePage, type ConsoleRequest, consoleAddress } from '../console-page.js'
import { objectElsewhere } from '../lists/elsewhere-of.js'
import { listPage } from '../lists/list-page.js'
import { valueContextOf } from '../lists/value-context.js'
import { depositHtml, type ShownSettlement } from './deposit-html.js'
import { headingOf } from './transaction-html.js'

/** Types of transactions that move money between the service and a merchant's bank account. */
export const PAYOUTS = ['deposit', 'reversal']

/** Entries that the page of a deposit shows. */
const MAX_ENTRIES = '50'

const pathOf = ({ id }: JsonObject) => ['deposits', String(id)]

/** Deposits and reversals, the newest first. */
export const depositsPage: ConsolePage = {
  matches: ([page, ...more]) => page === 'deposits' && more.length === 0,
  get: async (request) =>
    await listPage(request, {
      resource: request.visitor.app.model.get('transaction'),
      heading: 'Deposits',
      lead: 'Money on its way to the bank accounts of merchants, and what was taken back from them.',
      preset: [['type', PAYOUTS.join('|')]],
      columns: ['created_at', 'period', 'type', 'amount', 'fee', 'status', 'processing[name]'],
      pathOf,
      empty: {
        what: 'Deposits appear here when a business day with payments has ended.',
        command: 'payctl funding run',
      },
    }),
}

/** Page of a deposit: its entries, their sum, and the settlement that the deposit pays out. */
export const depositPage: ConsolePage = {
  matches: ([page, id, ...more]) => page === 'deposits' && id !== undefined && more.length === 0,
  async get(request) {
    const { visitor, path } = request
    const { app, environment } = visitor
    const id = path[1] ?? ''
    const item = `/transactions/${encodeURIComponent(id)}`
    const answer = await request.ask('GET', item, {
      query: [['fields', '*,period,unexplained,settlement_id,processing[name]']],
    })
    if (answer.status === 404 || !PAYOUTS.includes(answeredText(answer.body, 'type') ?? 'deposit'))
      return { kind: 'missing' }
    if (answer.status !== 200) return { kind: 'refused', answer }
    const entries = await request.ask('GET', `${item}/ledger`, {
      query: [
        ['order_by', 'id'],
        ['limit', MAX_ENTRIES],
      ],
    })
    const sums = await request.ask('GET', `${item}/ledger`, {
      query: [
        ['fields', 'entry_type,sum(amount),count(id)'],
        ['group_by', 'entry_type'],
      ],
    })
    const body = depositHtml({
      deposit: answer.body,
      entries: objectsIn(entries.body),
      sums: objectsIn(sums.body),
      settlement: await settlementOf(request, answeredText(answer.body, 'settlement_id')),
      values: valueContextOf(visitor),
      list: pageAddress(consoleAddress(environment, ['deposits'])),
      all: pageAddress(consoleAddress(environment, ['transaction_ledgers'], [['transaction_id', id]])),
    })
    return {
      kind: 'page',
      title: headingOf(answer.body),
      body,
      elsewhere: objectElsewhere(visitor, app.model.get('transaction'), id),
    }
  },
}

/** The gateway's settlement from which a deposit or reversal was made; undefined if a funding run made it. */
async function settlementOf(
  request: ConsoleRequest,
  id: string | undefined,
): Promise<ShownSettlement | undefined> {
  if (id === undefined) return undefined
  const [settlement, foreign] = await Promise.all([
    request.ask('GET', `/admin/settlements/${encodeURIComponent(id)}`),
    request.ask('GET', '/admin/settlement_lines', {
      query: [
        ['settlement_id', id],
        ['kind', 'foreign'],
        ['limit', '1'],
      ],
    }),
  ])
  return settlement.status === 200
    ? { settlement: settlement.body, foreign: objectsIn(foreign.body)[0] }
    : undefined
}
