import { expect } from 'chai'
import { beginCatchUp } from '../../../src/domain/gateways/catching-up.js'
import type { FoundOperation, GatewayNotice, RemoteGateway } from '../../../src/gateways/contract.js'
import { type RemoteSimulator, remoteSimulator } from '../../../src/gateways/simulator/remote-simulator.js'
import { Business } from '../../support/business.js'
import { idOf, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, pay } from '../../support/examples.js'

const SINCE = '2020-01-01 00:00:00'

describe('a payment that changed at its gateway after it was taken', () => {
  onDatabases((open) => {
    let gateway: RemoteSimulator
    let business: Business
    let account: string
    beforeEach(async () => {
      gateway = remoteSimulator()
      business = await Business.open(open, { gateway })
      account = await business.account()
    })
    afterEach(async () => {
      expect((await business.core.ok('GET', '/admin/verify')).findings).to.deep.equal([])
      expect(await business.audit()).to.deep.equal([])
    })
    const exceptions = async () => valuesOf(await business.core.ok('GET', '/admin/exceptions'))
    /** Another process, to which the gateway sends these notices once. An error is an unreadable notice. */
    const told = async (notices: readonly (GatewayNotice | Error)[], options: object = {}) => {
      const telling: RemoteGateway = {
        ...gateway,
        notifications: async () => ({
          notifications: notices.map((_, n) => ({
            id: `notice ${n}`,
            type: 'payment',
            about: 'operation',
            raw: '{}',
          })),
          cursor: null,
        }),
        read: async ({ id }) => {
          const notice = notices[Number(id.slice('notice '.length))]
          if (notice === undefined || notice instanceof Error) throw notice
          return [notice]
        },
      }
      return await business.another(open, { gateway: telling, ...options })
    }
    const taken = (reference: string, more: Partial<FoundOperation> = {}): FoundOperation => ({
      kind: 'operation',
      reference,
      type: 'sale',
      amount: 1000,
      outcome: { result: 'approved', amount: 1000, gatewayId: `g_${reference}` },
      ...more,
    })

    const cases = [
      ['sale', {}, 'void', 'voided'],
      ['authorize', { status: 'authorized' }, 'void', 'voided'],
      ['authorize', { status: 'authorized' }, 'capture', 'processed'],
    ] as const
    for (const [type, more, done, status] of cases)
      it(`is booked with its ${done} if the answer to its ${type} was lost`, async () => {
        gateway.script('times_out_after')
        const payment = idOf(await pay(business.core, account, 10, more))
        const parent = { reference: payment, gatewayId: null }
        await gateway.perform({ type: done, reference: 'op_1', parent, currency: 'USD', amount: 1000 })
        const handle = business.core.environment.core
        await handle.write(({ tx }) => beginCatchUp(tx, SINCE, SINCE))
        const restored = await business.another(open, { gateway })
        expect(await restored.ok('POST', '/admin/catch_up')).to.include({ booked: 1, finished: true })
        expect(await business.read(payment)).to.include({ status })
        expect(await exceptions()).to.deep.equal([])
      })

    it('is not voided if a part was charged back, but opens a reconciliation exception', async () => {
      const payment = idOf(await pay(business.core, account, 10))
      await business.simulate('chargeback', payment, { amount: 4 })
      const core = await told([taken(payment, { state: 'voided' })])
      await core.environment.reconcile(0)
      expect(await business.read(payment)).to.include({ status: 'processed' })
      expect((await exceptions()).map(({ kind, amount }) => [kind, amount])).to.deep.equal([
        ['amount_differs', 10],
      ])
    })

    it('is not captured if only a part was captured at the gateway, but opens a reconciliation exception', async () => {
      const payment = idOf(await pay(business.core, account, 10, { status: 'authorized' }))
      const core = await told([taken(payment, { type: 'authorize', state: 'captured', amount: 400 })])
      await core.environment.reconcile(0)
      expect(await business.read(payment)).to.include({ status: 'authorized' })
      expect((await exceptions()).map(({ kind, amount }) => [kind, amount])).to.deep.equal([
        ['amount_differs', 4],
      ])
    })

    it('is updated only when its pending operation has an outcome', async () => {
      const held = idOf(await pay(business.core, account, 10, { status: 'authorized' }))
      gateway.script('fails_before')
      await business.core.ok('PUT', `/transactions/${held}`, { status: 'voided' })
      const reported: unknown[] = []
      const report = (error: unknown) => reported.push(error)
      const core = await told([taken(held, { type: 'authorize', state: 'captured' })], { report })
      business.at('2030-01-15 17:01:00')
      await core.environment.reconcile(3_600_000)
      expect(await business.read(held)).to.include({ status: 'authorized' })
      expect(reported).to.have.length(1)
      await core.environment.reconcile(0)
      expect(await business.read(held)).to.include({ status: 'processed' })
      expect(await exceptions()).to.deep.equal([])
    })

    it('stays authorized if the gateway says that a part of it has settled, until an operator books the part', async () => {
      const held = idOf(await pay(business.core, account, 10, { status: 'authorized' }))
      gateway.script({ result: 'declined', statusCode: 'already_settled', captured: 400 })
      const voided = await business.core.send('PUT', `/transactions/${held}`, { status: 'voided' })
      expect(voided.body.details).to.have.keys('status')
      expect(await business.read(held)).to.include({ status: 'authorized', amount: 10 })
      const [raised, ...more] = await exceptions()
      expect(more).to.deep.equal([])
      expect(raised).to.include({ kind: 'amount_differs', amount: 4, transaction_id: held })
      await business.core.ok('POST', `/admin/exceptions/${raised?.id}/resolve`, {
        resolution: 'partial',
        reason: 'four were captured',
      })
      expect(await business.read(held)).to.include({ status: 'processed', amount: 4 })
    })

    it('opens a reconciliation exception for a refund by hand, while a refund by us waits for the settlement', async () => {
      gateway.script({ result: 'approved', amount: 1000, gatewayId: 'g_sale' })
      const payment = idOf(await pay(business.core, account, 10))
      gateway.script({ result: 'declined', statusCode: 'not_settled' })
      const refund = idOf(await business.refund(payment, 1))
      expect(await business.read(refund)).to.include({ status: 'processing' })
      const core = await told([
        {
          kind: 'operation',
          reference: undefined,
          type: 'refund',
          amount: 100,
          parent: 'g_sale',
          outcome: { result: 'approved', amount: 100, gatewayId: 'g_by_hand' },
        },
      ])
      await (await core.environment.atGateway(gateway.name)).pollEvents()
      await (await core.environment.atGateway(gateway.name)).handleNotifications()
      expect(
        (await exceptions()).map(({ kind, amount, gateway_id: id }) => [kind, amount, id]),
      ).to.deep.equal([['amount_differs', 1, 'g_by_hand']])
      business.at('2030-01-16 17:00:00')
      await business.core.environment.runDueJobs()
      await business.core.environment.reconcile(0)
      expect(await business.read(refund)).to.include({ status: 'processed', amount: 1 })
    })

    it('is processed if the gateway says that it has settled, and can then be refunded', async () => {
      const held = idOf(await pay(business.core, account, 10, { status: 'authorized' }))
      gateway.script({ result: 'declined', statusCode: 'already_settled' })
      const voided = await business.core.send('PUT', `/transactions/${held}`, { status: 'voided' })
      expect(voided.body.details).to.deep.equal({
        status: 'Cannot change from authorized to voided: it has settled, refund it instead',
      })
      expect(await business.read(held)).to.include({ status: 'processed', funding_status: 'captured' })
      expect(await business.refund(held, 10)).to.include({ status: 'processed' })
    })

    it('is updated although a hundred unreadable notifications came before its own', async () => {
      const payment = idOf(await pay(business.core, account, 10))
      const reported: unknown[] = []
      const unreadable = Array.from({ length: 101 }, (_, n) => new Error(`${n} cannot be read`))
      const core = await told(
        [
          ...unreadable,
          { kind: 'chargeback', dispute: 'dp_1', payment, amount: 1000, statusCode: 'chargeback' },
        ],
        { report: (error: unknown) => reported.push(error) },
      )
      await core.environment.reconcile(0)
      expect(await business.read(payment)).to.include({ status: 'rejected' })
      expect(reported).to.have.length(101)
      for (let round = 0; round < 2; round++) {
        business.at(`2030-01-15 17:0${round + 1}:00`)
        await core.environment.reconcile(0)
      }
      // Unreadable notifications are tried again in turn, a hundred at a time.
      expect(new Set(reported.map((error) => String(error)))).to.have.property('size', 101)
      expect(reported).to.have.length(301)
    })

    it('cannot be deleted if it was declined as never sent, because its approval may arrive late', async () => {
      gateway.script('fails_before')
      const payment = idOf(await pay(business.core, account, 10))
      await business.core.environment.reconcile(0)
      expect(await business.read(payment)).to.include({ status_code: 'never_sent' })
      const deleted = await business.core.send('DELETE', `/transactions/${payment}`)
      expect(deleted.status).to.equal(400)
      expect(deleted.body.details).to.have.property('status_code')
      const core = await told([taken(payment)])
      await core.environment.reconcile(0)
      expect((await exceptions()).map(({ kind }) => kind)).to.deep.equal(['late_approval'])
    })

    it('prevents the removal of its gateway while a refund there has no outcome', async () => {
      gateway.script(
        { result: 'approved', amount: 500, gatewayId: 'g_5' },
        { result: 'declined', statusCode: 'declined' },
        'times_out_after',
      )
      const body = { type: 'payment', amount: 10, processing_id: account, payment_method: card() }
      await business.core.send('POST', '/transactions', body)
      const [exception = {}] = await exceptions()
      await business.core.ok('POST', `/admin/exceptions/${idOf(exception)}/resolve`, {
        resolution: 'refund',
        reason: 'the payer has paid twice',
      })
      const named = await business.core.ok('POST', '/admin/gateways', {
        name: gateway.name,
        kind: 'peer',
        base_url: 'https://pay.example.com',
        credentials: { secret_key: 'test_secret_key_of_theirs' },
      })
      const removed = await business.core.send('DELETE', `/admin/gateways/${idOf(named)}`)
      expect(removed.body.details).to.deep.equal({
        name: `An operation at it has no outcome yet: ${idOf(exception)}`,
      })
    })

    it('cannot be deleted before an operator resolves its exception', async () => {
      gateway.script(
        { result: 'approved', amount: 500, gatewayId: 'g_5' },
        { result: 'declined', statusCode: 'declined' },
      )
      const body = { type: 'payment', amount: 10, processing_id: account, payment_method: card() }
      await business.core.send('POST', '/transactions', body)
      const [payment = {}] = valuesOf(await business.core.ok('GET', '/transactions'))
      const [exception = {}] = await exceptions()
      expect(exception).to.include({
        kind: 'partial_approval',
        status: 'open',
        transaction_id: idOf(payment),
      })
      const path = `/transactions/${idOf(payment)}`
      expect((await business.core.send('DELETE', path)).body.details).to.deep.equal({
        id: `The exception ${idOf(exception)} about this transaction is not resolved`,
      })
      await business.core.ok('POST', `/admin/exceptions/${idOf(exception)}/resolve`, {
        resolution: 'refund',
        reason: 'the payer has paid twice',
      })
      expect(await business.core.ok('DELETE', path)).to.include({ id: idOf(payment) })
    })
  })
})
