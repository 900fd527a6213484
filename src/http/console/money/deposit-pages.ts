import { answeredText, objectsIn } from '../../../schema/answer-values.js'
import { pageAddress } from '../../html/page-address.js'
import { type ConsoleRequest, consoleAddress } from '../console-page.js'
import { valueContextOf } from '../lists/value-context.js'
import { objectPage } from '../objects/object-page.js'
import type { ResourcePages } from '../objects/resource-pages.js'
import { depositHtml, type ShownSettlement } from './deposit-html.js'
import { headingOf } from './transaction-html.js'

/** Types of transactions that move money between the service and a merchant's bank account. */
export const PAYOUTS = ['deposit', 'reversal']

/** Entries that the page of a deposit shows. */
const MAX_ENTRIES = '50'

/** Deposits and reversals, the newest first; each with its entries, their sum, and the settlement that it pays out. */
export const depositPages: ResourcePages = {
  resource: 'transaction',
  at: ['deposits'],
  list: {
    heading: 'Deposits',
    lead: 'Money on its way to the bank accounts of merchants, and what was taken back from them.',
    preset: [['type', PAYOUTS.join('|')]],
    columns: ['created_at', 'period', 'type', 'amount', 'fee', 'status', 'processing[name]'],
    pathOf: ({ id }) => ['deposits', String(id)],
    empty: {
      what: 'Deposits appear here when a business day with payments has ended.',
      command: 'payctl funding run',
    },
  },
  object: objectPage({
    fields: () => ['period', 'unexplained', 'settlement_id', 'processing[name]'],
    fits: (transaction) => PAYOUTS.includes(answeredText(transaction, 'type') ?? 'deposit'),
    title: headingOf,
    body: async (deposit, { request, id }) => {
      const { visitor } = request
      const path = `/transactions/${encodeURIComponent(id)}/ledger`
      const entries = await request.ask('GET', path, {
        query: [
          ['order_by', 'id'],
          ['limit', MAX_ENTRIES],
        ],
      })
      const sums = await request.ask('GET', path, {
        query: [
          ['fields', 'entry_type,sum(amount),count(id)'],
          ['group_by', 'entry_type'],
        ],
      })
      const all = consoleAddress(visitor.environment, ['transaction_ledgers'], [['transaction_id', id]])
      return depositHtml({
        deposit,
        entries: objectsIn(entries.body),
        sums: objectsIn(sums.body),
        settlement: await settlementOf(request, answeredText(deposit, 'settlement_id')),
        values: valueContextOf(visitor),
        all: pageAddress(all),
      })
    },
  }),
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
