import { expect } from 'chai'
import type { MoneyTakenBack, RemoteGateway } from '../../../src/gateways/contract.js'
import { type RemoteSimulator, remoteSimulator } from '../../../src/gateways/simulator/remote-simulator.js'
import { Business } from '../../support/business.js'
import { idOf, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { pay } from '../../support/examples.js'
import { booksOf } from '../payments/books.js'

/** The payer pays half of the fee: 0.59 for a payment of 29.99. */
const SHARED = { credit_conv_fee_alloc: 50 }

describe('a notification of a gateway', () => {
  onDatabases((open) => {
    let gateway: RemoteSimulator
    let business: Business
    let account: string
    beforeEach(async () => {
      gateway = remoteSimulator()
      business = await Business.open(open, { gateway })
      account = await business.account(SHARED)
    })
    const reconcile = () => business.core.environment.reconcile(0)
    const exceptions = async () => valuesOf(await business.core.ok('GET', '/admin/exceptions'))
    const verified = async () => await business.core.ok('GET', '/admin/verify')
    const chargeback = (payment: string, amount: number, more: Partial<MoneyTakenBack> = {}) =>
      gateway.report({
        kind: 'chargeback',
        dispute: `dp_${payment}`,
        payment,
        amount,
        statusCode: 'chargeback',
        ...more,
      })

    it('about a chargeback of a whole payment with its convenience fee opens no reconciliation exception', async () => {
      const payment = idOf(await pay(business.core, account, 29.99))
      chargeback(payment, 3058)
      await reconcile()
      expect(await business.read(payment)).to.include({ status: 'rejected' })
      expect(await business.ledger(payment)).to.deep.equal(['chargeback -29.99'])
      expect(await exceptions()).to.deep.equal([])
      expect(await verified()).to.deep.include({ findings: [] })
    })

    it('is handled although another gateway cannot be reached', async () => {
      const reported: unknown[] = []
      const report = (error: unknown) => reported.push(error)
      const core = await business.another(open, { gateway, gatewayLoopback: true, report })
      await core.ok('POST', '/admin/gateways', {
        name: 'broken',
        kind: 'peer',
        base_url: 'http://127.0.0.1:1',
        credentials: { secret_key: 'test_secret_key_of_nobody' },
      })
      const payment = idOf(await pay(core, account, 29.99))
      chargeback(payment, 3058)
      await core.environment.reconcile(0)
      expect(await business.read(payment)).to.include({ status: 'rejected' })
      expect(String(reported)).to.include('127.0.0.1')
    })

    it('is left for a later run if the service is stopping', async () => {
      const payments = [
        await pay(business.core, account, 29.99),
        await pay(business.core, account, 29.99),
      ].map(idOf)
      const stopping = new AbortController()
      const last: RemoteGateway = {
        ...gateway,
        async read(notification) {
          stopping.abort()
          return (await gateway.read?.(notification)) ?? []
        },
      }
      const other = await business.another(open, { gateway: last })
      for (const payment of payments) chargeback(payment, 3058)
      await (await other.app.environment('test')).reconcile(0, stopping.signal)
      const statuses = async () =>
        (await Promise.all(payments.map(async (id) => (await business.read(id)).status))).sort()
      expect(await statuses()).to.deep.equal(['processed', 'rejected'])
      await (await (await other.app.environment('test')).atGateway('remote-simulator')).handleNotifications(
        stopping.signal,
      )
      expect(await statuses()).to.deep.equal(['processed', 'rejected'])
      await (await business.core.environment.atGateway('remote-simulator')).handleNotifications()
      expect(await statuses()).to.deep.equal(['rejected', 'rejected'])
    })

    it('about a chargeback of a refunded payment is booked as a loss, and opens one reconciliation exception', async () => {
      const payment = idOf(await pay(business.core, account, 29.99))
      await business.refund(payment, 29.99)
      chargeback(payment, 3058)
      await reconcile()
      await reconcile()
      const [exception, ...more] = await exceptions()
      expect(more).to.deep.equal([])
      expect(exception).to.include({ kind: 'dispute_beyond_balance', amount: 29.99, transaction_id: payment })
      expect(await booksOf(business.core, account)).to.include({ chargeback_loss: -2999 })
      expect(await verified()).to.deep.include({ findings: [] })
      gateway.report({
        kind: 'dispute_won',
        dispute: `dp_${payment}`,
        payment,
        amount: 3058,
        statusCode: 'chargeback',
      })
      await reconcile()
      expect(await booksOf(business.core, account)).to.not.have.property('chargeback_loss')
      expect(await verified()).to.deep.include({ findings: [] })
    })

    it('about a chargeback of an unknown or uncaptured payment opens a reconciliation exception', async () => {
      chargeback('txn_nowhere', 1000)
      const held = idOf(await pay(business.core, account, 10, { status: 'authorized' }))
      chargeback(held, 1000)
      await reconcile()
      expect((await exceptions()).map(({ kind }) => kind).sort()).to.deep.equal([
        'dispute_unexpected',
        'unknown_payment',
      ])
      expect(await business.read(held)).to.include({ status: 'authorized' })
    })

    it('about a late approval of a declined payment voids it at the gateway, or opens a reconciliation exception', async () => {
      for (const voided of [true, false]) {
        gateway.script('fails_before')
        const payment = idOf(await pay(business.core, account, 10))
        await reconcile()
        expect(await business.read(payment)).to.include({ status_code: 'never_sent' })
        const late: RemoteGateway = {
          ...gateway,
          notifications: async () => ({
            notifications: [{ id: `late ${payment}`, type: 'payment', about: 'operation', raw: '{}' }],
            cursor: null,
          }),
          read: async () => [
            {
              kind: 'operation',
              reference: payment,
              type: 'sale',
              amount: 1000,
              outcome: { result: 'approved', amount: 1000, gatewayId: `g_${payment}` },
            },
          ],
        }
        const other = await business.another(open, { gateway: late })
        if (!voided) gateway.script({ result: 'declined', statusCode: 'declined' })
        await (await other.app.environment('test')).reconcile(0)
        const found = (await exceptions()).find(({ transaction_id: id }) => id === payment)
        expect(found).to.include({ kind: 'late_approval', status: voided ? 'resolved' : 'open', amount: 10 })
        expect(await business.read(payment)).to.include({ status: 'declined' })
      }
      expect(gateway.performed.at(-1)).to.include({ type: 'void', amount: 1000 })
    })

    it('about a payment of another gateway changes no transaction', async () => {
      const payment = idOf(await pay(business.core, account, 10))
      gateway.script('times_out_after')
      const pending = idOf(await pay(business.core, account, 11))
      const before = await Promise.all([payment, pending].map((id) => business.read(id)))
      const stranger: RemoteGateway = {
        ...gateway,
        name: 'stranger',
        notifications: async () => ({
          notifications: [{ id: 'one', type: 'payment', about: 'operation', raw: '{}' }],
          cursor: null,
        }),
        read: async () => [
          {
            kind: 'chargeback',
            dispute: 'dp_1',
            payment,
            amount: 1000,
            statusCode: 'chargeback',
          },
          {
            kind: 'operation',
            reference: pending,
            type: 'sale',
            amount: 1100,
            outcome: { result: 'declined', statusCode: 'declined' },
          },
          {
            kind: 'operation',
            reference: payment,
            type: 'sale',
            amount: 1000,
            state: 'voided',
            outcome: { result: 'approved', amount: 1000 },
          },
        ],
      }
      const other = await business.another(open, { gateway: stranger })
      await (await other.app.environment('test')).reconcile(0)
      expect(await Promise.all([payment, pending].map((id) => business.read(id)))).to.deep.equal(before)
      expect((await exceptions()).map(({ kind, gateway: by }) => [kind, by])).to.deep.equal([
        ['unknown_payment', 'stranger'],
      ])
    })

    it('is not needed to refuse refunds and voids of a payment whose gateway was removed', async () => {
      const payment = idOf(await pay(business.core, account, 10))
      const other = await business.another(open, {})
      const body = { type: 'refund', amount: 10, ledger: [{ assoc_transaction_id: payment }] }
      expect((await other.send('POST', '/transactions', body)).status).to.equal(503)
      expect((await other.send('PUT', `/transactions/${payment}`, { status: 'voided' })).status).to.equal(503)
      expect(await business.read(payment)).to.include({ status: 'processed', funding_status: 'pending' })
    })

    it('can be replaced by a dispute that an operator records, once', async () => {
      const payment = idOf(await pay(business.core, account, 29.99))
      const body = { event: 'chargeback', transaction_id: payment, dispute: 'dp_1', amount: 40 }
      const added = await business.core.ok('POST', '/admin/disputes', body)
      expect(added).to.include({ status: 'rejected', excess: 9.42 })
      expect(await business.core.ok('POST', '/admin/disputes', body)).to.deep.equal(added)
      expect(await verified()).to.deep.include({ findings: [] })
    })
  })
})
