import { expect } from 'chai'
import { model } from '../../../src/cli/terminal/declarations/declared-model.js'
import { moneyActionsOf } from '../../../src/engine/core/moves/request-effects.js'
import type { QueryPair } from '../../../src/engine/core/request/request.js'
import { batchKinds } from '../../../src/resources/batch-kinds.js'
import type { Json, JsonObject } from '../../../src/schema/json.js'
import type { Method } from '../../../src/schema/resource.js'

const payment = { type: 'payment', amount: 5 }

describe('the money verbs of a request', () => {
  const cases: readonly (readonly [Method, string, Json | undefined, readonly string[]])[] = [
    ['GET', '/transactions', undefined, []],
    ['POST', '/customers', { name: 'Ada', payment_methods: [{ card: {} }] }, []],
    ['POST', '/transactions', payment, ['pay']],
    ['POST', '/transactions/', { ...payment, status: 'authorized' }, ['authorize']],
    ['POST', '//transactions', { type: 'refund', amount: 1 }, ['credit']],
    ['POST', '/transactions', { type: 'refund', ledger: [{ assoc_transaction_id: '' }] }, ['credit']],
    ['POST', '/transactions', { type: 'refund', ledger: [{ assoc_transaction_id: 'txn_1' }] }, ['refund']],
    ['POST', '/transactions', { type: 'refund', ledger: { assoc_transaction_id: 'txn_1' } }, ['refund']],
    ['POST', '//Transactions', { type: 'refund', amount: 1 }, ['unknown']],
    ['POST', '/transactions', { type: 'credit', amount: 1 }, ['credit']],
    ['POST', '/transactions', { object: 'list', values: [payment, { type: 'refund' }] }, ['pay', 'credit']],
    ['POST', '/transactions', [payment, payment], ['pay', 'pay']],
    ['POST', '/transactions', { '0': payment, '1': { type: 'refund' } }, ['pay', 'credit']],
    ['POST', '/transactions', { object: 'list', values: { '0': payment } }, ['pay']],
    ['POST', '/customers', { transactions: { '0': payment } }, ['unknown']],
    ['PUT', '/transactions/txn_1', { status: 'processed' }, ['capture']],
    ['PUT', '/transactions/txn_1', { status: 'voided' }, ['void']],
    ['PUT', '/transactions/txn_1', { description: 'x' }, ['change']],
    ['DELETE', '/transactions/txn_1', undefined, ['change']],
    ['POST', '/transactions/txn_1/review', { decision: 'allow' }, ['review']],
    ['POST', '/invoices/inv_1/collect', {}, ['pay']],
    ['POST', '/invoices/inv_1/stop_collecting', {}, []],
    ['POST', '/payment_links/plnk_1/pay', { amount: 5 }, ['unknown']],
    ['PUT', '/line_items/item_1/payment', payment, ['unknown']],
    ['POST', '/transactions/../transactions', payment, ['unknown']],
    ['POST', '/%74ransactions', payment, ['unknown']],
    ['POST', '/invoices', { attrs: { payment, transactions: [payment] } }, []],
    ['PUT', '/customers/acct_1', { attrs: { payment } }, []],
    ['PUT', '/transactions', [{ id: 'txn_1', status: 'voided' }, { id: 'txn_2' }], ['void', 'change']],
    ['PUT', '/transactions', { status: 'processed' }, ['capture']],
    ['DELETE', '/transactions', [{ id: 'txn_1' }], ['change']],
    ['PUT', '/invoices/inv_1', { items: [{ id: 'item_1', payment }] }, ['pay']],
    ['PUT', '/line_items/item_1', { payment: { id: 'txn_1', status: 'voided' } }, ['void']],
    ['PUT', '/line_items/item_1', { payment: { id: 'txn_1' } }, []],
    ['PUT', '/line_items/item_1', { payment: { id: '', ...payment } }, ['pay']],
    ['POST', '/billing_schedules', { invoices: { items: { payment } } }, ['pay']],
    ['POST', '/billing_schedules/bscd_1/invoices', { items: [{ payment }] }, ['pay']],
    ['POST', '/payment_methods', { type: 'bank_account', account_id: 'acct_shop' }, ['redirect']],
    ['POST', '/payment_methods', { type: 'bank_account', account_id: 'acct_payer' }, []],
    ['POST', '/payment_methods', { type: 'card', account_id: 'acct_shop' }, ['redirect']],
    ['PUT', '/payment_methods/pm_shop', { default_payment_method: true }, ['redirect']],
    ['PUT', '/payment_methods/pm_payer', { default_payment_method: true }, []],
    ['PUT', '/payment_methods/pm_payer', { account_id: 'acct_shop' }, ['redirect']],
    ['DELETE', '/payment_methods/pm_shop', undefined, ['redirect']],
    ['POST', '/accounts/acct_shop/payment_methods', { type: 'bank_account' }, ['redirect']],
    ['PUT', '/accounts/acct_shop', { payment_methods: [] }, ['redirect']],
    ['PUT', '/accounts/acct_payer', { payment_methods: [{ type: 'bank_account' }] }, []],
    ['POST', '/processing_accounts', { payment_methods: { type: 'bank_account' } }, []],
    ['PUT', '/processing_accounts/acct_shop', { name: 'Corner' }, []],
    ['PUT', '/processing_accounts/acct_shop', { processing: { payouts: 'none' } }, ['redirect']],
    ['PUT', '/processing_accounts/acct_shop', { processing: { payouts: null } }, ['redirect']],
    ['POST', '/processing_accounts/acct_shop/set_default', {}, ['redirect']],
    ['PUT', '/admin/gateways/gw_1', { base_url: 'https://thief.example' }, ['redirect']],
    ['PUT', '/admin//gateway_routes/', { default: 'thief' }, ['redirect']],
    ['POST', '/admin/gateway_routes', { default: 'thief' }, ['unknown']],
    ['POST', '/admin/disputes', { event: 'dispute_won', transaction_id: 'txn_1' }, ['dispute']],
    ['POST', '/admin/clock/advance', { by: '1mo' }, ['unknown']],
    ['POST', '/admin/clock', { by: '1mo' }, ['billing', 'funding']],
    ['PUT', '/admin/clock', { offset: 0 }, ['billing', 'funding']],
    ['POST', '/admin/billing/backfill', { billing_schedule_id: 'bscd_1' }, ['billing']],
    ['POST', '/invoices', { items: [{ payment }, { amount: 3 }] }, ['pay']],
    ['POST', '/customers', { transactions: { object: 'list', values: [payment] } }, ['unknown']],
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
    ['POST', '/admin/batches/rows', rowsOf('credit', { amount: 5 }), ['credit']],
    ['POST', '/admin/batches/rows', rowsOf('payment', { type: 'credit', amount: 5 }), ['pay']],
    ['POST', '/admin/batches/rows', rowsOf('void', { payment: 'txn_1', status: 'processed' }), ['void']],
    ['POST', '/admin/batches/rows', rowsOf('invoice', { items: [{ payment }] }, {}), ['pay']],
    ['POST', '/admin/batches/rows', rowsOf('line_item', { payment }), ['pay']],
    ['POST', '/admin/batches/rows', rowsOf('settled', { amount: 5 }), ['unknown']],
    ['POST', '/admin/batches/rows', { as: 'payment' }, ['unknown']],
    ['POST', '/admin/batches/rows', rowsOf('customer', { name: 'Ada' }), []],
    ['POST', '/admin/batches/rows', rowsOf('customer', { attrs: { payment } }), []],
    ['POST', '/admin/batches/rows', { as: 'payment', rows: { '0': { body: { amount: 5 } } } }, ['pay']],
    ['POST', '/admin/batches/rows', { as: 'payment', rows: { body: { amount: 5 } } }, ['pay']],
    ['POST', '/admin/exceptions/exc_1/resolve', { resolution: 'refund' }, ['refund']],
    ['POST', '/admin/exceptions/exc_1/resolve', { resolution: 'ignore' }, []],
    ['POST', '/admin/exceptions/exc_1/resolve', { resolution: 'link' }, ['dispute']],
    ['POST', '/admin/billing/run', {}, ['billing']],
    ['POST', '/admin/funding/run', {}, ['funding']],
  ]
  for (const [method, path, body, verbs] of cases)
    it(`are ${verbs.join(', ') || 'none'} for ${method} ${path} ${JSON.stringify(body)}`, async () => {
      const request = { method, path, ...(body !== undefined && { body }) }
      const actions = await moneyActionsOf({ model, batchKinds, read }, request)
      expect(actions.map(({ verb }) => verb)).to.deep.equal(verbs)
    })
})

function rowsOf(as: string, ...bodies: JsonObject[]): JsonObject {
  return { id: 'a.csv', as, rows: bodies.map((body, index) => ({ row: index + 2, body })) }
}

/** Reads processing account `acct_shop`, and payment methods of that account and of payer `acct_payer`. */
async function read(path: string, query: readonly QueryPair[] = []): Promise<JsonObject | undefined> {
  const owners: Readonly<Record<string, string>> = { pm_shop: 'acct_shop', pm_payer: 'acct_payer' }
  const owner = owners[path.split('/').at(-1) ?? '']
  if (owner !== undefined) return { account_id: owner }
  if (path !== '/processing_accounts') return undefined
  const isShop = query.some(([name, value]) => name === 'id' && value === 'acct_shop')
  return { object: 'list', values: isShop ? [{ id: 'acct_shop' }] : [] }
}
