import { expect } from 'chai'
import { moneyActionsOf } from '../../../src/cli/terminal/client/money-action.js'
import { registry } from '../../../src/cli/terminal/declared.js'
import type { Json, JsonObject } from '../../../src/schema/json.js'
import type { Method } from '../../../src/schema/resource.js'

const payment = { type: 'payment', amount: 5 }

describe('what money a request moves', () => {
  const cases: readonly (readonly [Method, string, Json | undefined, readonly string[]])[] = [
    ['GET', '/transactions', undefined, []],
    ['POST', '/customers', { name: 'Ada', payment_methods: [{ card: {} }] }, []],
    ['POST', '/transactions', payment, ['pay']],
    ['POST', '/transactions/', { ...payment, status: 'authorized' }, ['authorize']],
    ['POST', '//Transactions', { type: 'refund', amount: 1 }, ['refund']],
    ['POST', '/transactions', { type: 'credit', amount: 1 }, ['credit']],
    ['POST', '/transactions', { object: 'list', values: [payment, { type: 'refund' }] }, ['pay', 'refund']],
    ['POST', '/transactions', [payment, payment], ['pay', 'pay']],
    ['POST', '/transactions', { '0': payment, '1': { type: 'refund' } }, ['pay', 'refund']],
    ['POST', '/transactions', { object: 'list', values: { '0': payment } }, ['pay']],
    ['POST', '/customers', { transactions: { '0': payment } }, ['pay']],
    ['PUT', '/transactions/txn_1', { status: 'processed' }, ['capture']],
    ['PUT', '/transactions/txn_1', { status: 'voided' }, ['void']],
    ['PUT', '/transactions/txn_1', { description: 'x' }, ['change']],
    ['DELETE', '/transactions/txn_1', undefined, ['change']],
    ['POST', '/transactions/txn_1/review', { decision: 'allow' }, ['review']],
    ['POST', '/payment_links/plnk_1/pay', { amount: 5 }, ['pay']],
    ['PUT', '/line_items/item_1/payment', payment, ['change']],
    ['POST', '/invoices', { items: [{ payment }, { amount: 3 }] }, ['pay']],
    ['POST', '/customers', { transactions: { object: 'list', values: [payment] } }, ['pay']],
    ['POST', '/admin/batches', { id: 'a.csv', as: 'payment', content: 'x', rows: 2 }, []],
    [
      'POST',
      '/admin/batches/rows',
      rowsOf('payment', { amount: 5 }, { status: 'authorized' }),
      ['pay', 'authorize'],
    ],
    ['POST', '/admin/batches/rows', rowsOf('refund', { payment: 'txn_1', amount: 5 }), ['refund']],
    ['POST', '/admin/batches/rows', rowsOf('void', { payment: 'txn_1' }), ['void']],
    ['POST', '/admin/batches/rows', rowsOf('transaction', { type: 'credit', amount: 5 }), ['credit']],
    ['POST', '/admin/batches/rows', rowsOf('customer', { name: 'Ada' }), []],
    ['POST', '/admin/batches/rows', { as: 'payment', rows: { '0': { body: { amount: 5 } } } }, ['pay']],
    ['POST', '/admin/batches/rows', { as: 'payment', rows: { body: { amount: 5 } } }, ['pay']],
    ['POST', '/admin/exceptions/exc_1/resolve', { resolution: 'refund' }, ['refund']],
    ['POST', '/admin/exceptions/exc_1/resolve', { resolution: 'ignore' }, []],
    ['POST', '/admin/billing/run', {}, ['billing']],
    ['POST', '/admin/funding/run', {}, ['funding']],
  ]
  for (const [method, path, body, verbs] of cases)
    it(`finds ${verbs.join(', ') || 'no money'} in ${method} ${path} ${JSON.stringify(body)}`, async () => {
      const request = { method, path, ...(body !== undefined && { body }) }
      const actions = await moneyActionsOf({ registry, read }, request)
      expect(actions.map(({ verb }) => verb)).to.deep.equal(verbs)
    })
})

function rowsOf(as: string, ...bodies: JsonObject[]): JsonObject {
  return { id: 'a.csv', as, rows: bodies.map((body, index) => ({ row: index + 2, body })) }
}
