import { expect } from 'chai'
import type { Json } from '../../src/core/json.js'
import type { Method } from '../../src/core/method.js'
import { movementsOf } from '../../src/terminal/movement.js'

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
    ['PUT', '/transactions/txn_1', { status: 'processed' }, ['capture']],
    ['PUT', '/transactions/txn_1', { status: 'voided' }, ['void']],
    ['PUT', '/transactions/txn_1', { description: 'x' }, ['change']],
    ['DELETE', '/transactions/txn_1', undefined, ['change']],
    ['POST', '/transactions/txn_1/review', { decision: 'allow' }, ['review']],
    ['POST', '/payment_links/plnk_1/pay', { amount: 5 }, ['pay']],
    ['PUT', '/line_items/item_1/payment', payment, ['change']],
    ['POST', '/invoices', { items: [{ payment }, { amount: 3 }] }, ['pay']],
    ['POST', '/customers', { transactions: { object: 'list', values: [payment] } }, ['pay']],
    ['POST', '/admin/billing/run', {}, ['billing']],
    ['POST', '/admin/funding/run', {}, ['funding']],
  ]
  for (const [method, path, body, verbs] of cases)
    it(`${method} ${path} ${JSON.stringify(body)}: ${verbs.join(', ') || 'none'}`, () => {
      const request = { method, path, ...(body !== undefined && { body }) }
      expect(movementsOf(request).map(({ verb }) => verb)).to.deep.equal(verbs)
    })
})
