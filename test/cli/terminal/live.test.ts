import { expect } from 'chai'
import type { ClientRequest } from '../../../src/cli/terminal/client/client.js'
import { confirmLive } from '../../../src/cli/terminal/command/confirm-live.js'
import type { Choices } from '../../../src/cli/terminal/command/global-flags.js'
import type { ConfirmationContext } from '../../../src/cli/terminal/confirmation/live-question.js'
import { Interrupted, UsageError } from '../../../src/cli/terminal/failure/failure.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { rejection } from '../../support/rejection.js'

const live: Choices = { env: 'live', output: 'table', json: false, 'no-input': false }
const payment: ClientRequest = {
  method: 'POST',
  path: '/transactions',
  body: {
    type: 'payment',
    amount: 12.5,
    customer_id: 'acct_1',
    processing_id: 'acct_9',
    payment_method: { card: { card_number: '4242424242424242' } },
  },
}

const named: Readonly<Record<string, JsonObject>> = {
  '/customers/acct_1': { id: 'acct_1', name: 'Ada Park' },
  '/processing_accounts/acct_9': { id: 'acct_9', name: 'Corner Shop' },
  '/transactions/txn_1': {
    id: 'txn_1',
    amount: 1234.5,
    customer: { name: 'Ada Park' },
    processing: { name: 'Corner Shop' },
    payment_method: { description: 'Visa ending in 4242' },
  },
  '/invoices/inv_1': { id: 'inv_1', amount_due: 45, customer_id: 'acct_1', processing_id: 'acct_9' },
  '/payment_methods account_id=acct_1': {
    object: 'list',
    values: [{ id: 'pm_used', description: 'Visa ending in 4242', default_payment_method: true }],
  },
  '/admin/exceptions/exc_1': { id: 'exc_1', amount: 80, processing_id: 'acct_9', gateway: 'up' },
  '/transactions payment_method_id=pm_used': { object: 'list', values: [{ id: 'txn_1' }] },
  '/payment_methods/pm_used': { id: 'pm_used', description: 'Visa ending in 4242' },
  '/admin/funding/plan': {
    transactions: 3,
    deposits: [
      { amount: 90, type: 'deposit' },
      { amount: 5, type: 'reversal' },
    ],
  },
}

/**
 * Context for confirmations: a person who gives this answer, or no terminal if it is omitted. Questions are
 * added to `asked`.
 */
const desk = (answer?: boolean | string, asked: string[] = []): ConfirmationContext => ({
  prompts:
    answer === undefined
      ? undefined
      : {
          value: async (_, manner) => {
            asked.push(String(manner?.message))
            return String(answer)
          },
          confirm: async (message) => {
            asked.push(message)
            return answer === true
          },
        },
  read: async (path, [first] = []) => named[path] ?? (first && named[`${path} ${first[0]}=${first[1]}`]),
})

const asks = async (request: ClientRequest): Promise<string | undefined> => {
  const asked: string[] = []
  await confirmLive(request, live, desk(true, asked))
  return asked[0]
}

const refusal = async (request: ClientRequest, choices: Partial<Choices> = {}) => {
  const error = await rejection(confirmLive(request, { ...live, ...choices }, desk()))
  expect(error).to.be.instanceOf(UsageError)
  return error.message
}

describe('confirmation of dangerous requests in live', () => {
  it('shows amount, currency, payer, last digits and payee before money moves', async () => {
    expect(await asks(payment)).to.equal(
      'LIVE: pay 12.50 USD, payer Ada Park (acct_1), xxxxxxxxxxxx4242, payee Corner Shop. Go on?',
    )
    expect(await asks({ method: 'PUT', path: '/transactions/txn_1', body: { status: 'voided' } })).to.equal(
      'LIVE: void 1,234.50 USD, payer Ada Park, Visa ending in 4242, payee Corner Shop, txn_1. Go on?',
    )
    const ledger = [{ assoc_transaction_id: 'txn_1' }]
    expect(
      await asks({ method: 'POST', path: '/transactions', body: { type: 'refund', amount: 30, ledger } }),
    ).to.equal(
      'LIVE: refund 30.00 USD, payer Ada Park, Visa ending in 4242, payee Corner Shop, txn_1. Go on?',
    )
    const exception = { method: 'POST', path: '/admin/exceptions/exc_1/resolve' } as const
    expect(await asks({ ...exception, body: { resolution: 'refund', reason: 'taken twice' } })).to.equal(
      'LIVE: refund 80.00 USD, payee Corner Shop, exc_1. Go on?',
    )
    expect(await asks({ ...exception, body: { resolution: 'ignore' } })).to.equal(undefined)
    expect(await asks({ method: 'POST', path: '/admin/funding/run', body: {} })).to.equal(
      'LIVE: run funding: 3 transactions, 2 deposits and reversals of 85.00 USD. Go on?',
    )
  })

  it('shows the amount due before an invoice is collected, and the payers of a backfill', async () => {
    expect(await asks({ method: 'POST', path: '/invoices/inv_1/collect' })).to.equal(
      'LIVE: pay 45.00 USD, payer Ada Park (acct_1), Visa ending in 4242, payee Corner Shop, inv_1. Go on?',
    )
    const body = { billing_schedule_id: 'bscd_1', from: '2026-01-01' }
    const backfill = { method: 'POST', path: '/admin/billing/backfill' } as const
    expect(await asks({ ...backfill, body })).to.equal(
      'LIVE: make the invoices of bscd_1 that are missing since 2026-01-01, and charge nobody. Go on?',
    )
    expect(await asks({ ...backfill, body: { ...body, collect: true } })).to.equal(
      'LIVE: make the invoices of bscd_1 that are missing since 2026-01-01, and charge their customer for each. Go on?',
    )
  })

  it('shows changed payout destinations and recorded disputes, and confirms unknown requests', async () => {
    expect(await asks({ method: 'PUT', path: '/admin/gateway_routes', body: { default: 'up' } })).to.equal(
      'LIVE: change where money goes, at /admin/gateway_routes. Go on?',
    )
    const body = { event: 'chargeback', transaction_id: 'txn_1', dispute: 'dp_1', amount: 20 }
    expect(await asks({ method: 'POST', path: '/admin/disputes', body })).to.equal(
      'LIVE: record chargeback 20.00 USD, payer Ada Park, Visa ending in 4242, payee Corner Shop, txn_1. Go on?',
    )
    expect(await asks({ method: 'POST', path: '/payouts', body: {} })).to.equal(
      'LIVE: send POST /payouts, which this version does not know. Go on?',
    )
  })

  it('sends no request after a "no"', async () => {
    expect(await rejection(confirmLive(payment, live, desk(false)))).to.be.instanceOf(Interrupted)
  })

  it('needs --confirm live without a terminal; --yes is not enough', async () => {
    expect(await refusal(payment, { yes: true })).to.equal(
      'Money would move in the live environment: add --confirm live',
    )
    await confirmLive(payment, { ...live, confirm: 'live' }, desk())
    expect(await refusal(payment, { confirm: 'yes' })).to.include('Expected --confirm live')
  })

  it('is required before an object is deleted, a key is revoked, or a rotation ends a key at once', async () => {
    expect(await asks({ method: 'DELETE', path: '/customers/acct_1' })).to.equal(
      'LIVE: delete customer acct_1 Ada Park. Go on?',
    )
    for (const path of ['/admin/keys/key_1', '/invoices/inv_1', '/webhooks', '/admin/oauth/grants/grant_1'])
      expect(await refusal({ method: 'DELETE', path }), path).to.include('deleted or revoked in the live')
    const rotate: ClientRequest = { method: 'POST', path: '/admin/keys/key_1/rotate', body: {} }
    expect(await refusal(rotate)).to.include('would end at once')
    const secret: ClientRequest = {
      method: 'POST',
      path: '/webhooks/wh_1/rotate_secret',
      body: { overlap: 0 },
    }
    expect(await refusal(secret)).to.include('would end at once')
  })

  it('needs the id or name of an object with payments, typed or as --confirm ID', async () => {
    const request: ClientRequest = { method: 'DELETE', path: '/payment_methods/pm_used' }
    expect(await refusal(request, { confirm: 'live', yes: true })).to.equal(
      'Deleting pm_used in live, which money names: add --confirm pm_used',
    )
    await confirmLive(request, { ...live, confirm: 'pm_used' }, desk())
    const nested: ClientRequest = { method: 'DELETE', path: '/customers/acct_1/payment_methods/pm_used' }
    expect(await refusal(nested, { confirm: 'live', yes: true })).to.include('add --confirm pm_used')
    const asked: string[] = []
    await confirmLive(request, { ...live, yes: true }, desk('Visa ending in 4242', asked))
    expect(asked[0]).to.include('Type pm_used or Visa ending in 4242:')
    expect(await rejection(confirmLive(request, live, desk('y')))).to.be.instanceOf(Interrupted)
  })

  const free: readonly (readonly [string, ClientRequest, Partial<Choices>])[] = [
    ['the test environment', payment, { env: 'test' }],
    ['a dry run', { ...payment, dryRun: true }, {}],
    ['reading', { method: 'GET', path: '/transactions' }, {}],
    ['what moves no money', { method: 'POST', path: '/customers' }, {}],
    [
      'attributes of its own that are called like a payment',
      { method: 'POST', path: '/customers', body: { attrs: { payment: { type: 'payment', amount: 5 } } } },
      {},
    ],
    ['what live refuses', { method: 'POST', path: '/admin/clock', body: { by: '1mo' } }, {}],
    [
      'a rotation with an overlap',
      { method: 'POST', path: '/admin/keys/k/rotate', body: { overlap: 60 } },
      {},
    ],
    ['a rotation that overlaps by itself', { method: 'POST', path: '/webhooks/w/rotate_secret' }, {}],
  ]
  for (const [what, request, choices] of free) {
    it(`is not required for ${what}`, async () => {
      const asked: string[] = []
      await confirmLive(request, { ...live, ...choices }, desk(false, asked))
      expect(asked).to.deep.equal([])
    })
  }

  it('is required before card numbers are deleted for good', async () => {
    const purge: ClientRequest = { method: 'POST', path: '/admin/vault/purge', body: { older_than: '400d' } }
    expect(await asks(purge)).to.equal(
      'LIVE: drop for good the numbers of payment methods that were not used for 400d, and that a token stands for. Go on?',
    )
    expect(await refusal(purge)).to.equal(
      'Card and account numbers would be dropped for good in the live environment: add --confirm live',
    )
    await confirmLive(purge, { ...live, confirm: 'live' }, desk())
  })

  it('is required for a raw path in any spelling', async () => {
    for (const path of [
      'transactions',
      '/transactions/',
      '/transactions/txn_1',
      '//transactions',
      '/Transactions/../transactions',
    ])
      expect(await refusal({ method: 'PUT', path }), path).to.include('Money would move')
  })
})
