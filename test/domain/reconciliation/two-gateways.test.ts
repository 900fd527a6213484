import { expect } from 'chai'
import type { GatewayNotice, RemoteGateway } from '../../../src/gateways/contract.js'
import { remoteSimulator } from '../../../src/gateways/simulator/remote-simulator.js'
import { Business } from '../../support/business.js'
import { idOf, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { pay } from '../../support/examples.js'

/** A gateway of this name. All gateways made here use the same ids. */
const named = (name: string, notices: readonly GatewayNotice[] = []): RemoteGateway => ({
  ...remoteSimulator(),
  name,
  perform: async ({ amount, type, reference }) => ({
    result: 'approved',
    amount,
    gatewayId: type === 'sale' ? 'same' : reference,
  }),
  notifications: async () => ({
    notifications: notices.map((_, n) => ({
      id: `${JSON.stringify(notices[n])} ${n}`,
      type: 'x',
      about: 'operation',
      raw: '{}',
    })),
    cursor: null,
  }),
  read: async ({ id }) => notices.slice(Number(id.split(' ').at(-1))).slice(0, 1),
})

describe('two gateways that use the same ids', () => {
  onDatabases((open) => {
    let business: Business
    let here: string
    let there: string
    let account: string
    let minute = 10
    /** Another process, a minute later, which uses the gateway of this name. */
    const core = async (name: string, notices?: readonly GatewayNotice[]): Promise<TestCore> => {
      business.at(`2030-01-15 17:${++minute}:00`)
      return await business.another(open, { gateway: named(name, notices) })
    }
    beforeEach(async () => {
      business = await Business.open(open, { gateway: named('here') })
      account = await business.account()
      here = idOf(await pay(business.core, account, 10))
      there = idOf(await pay(await core('there'), account, 20))
    })
    afterEach(async () => {
      expect(await business.audit()).to.deep.equal([])
      expect((await business.core.ok('GET', '/admin/verify')).findings).to.deep.equal([])
    })
    const says = async (name: string, ...notices: GatewayNotice[]) =>
      await (await core(name, notices)).environment.reconcile(0)
    const exceptions = async () =>
      valuesOf(await business.core.ok('GET', '/admin/exceptions', undefined, { query: 'order_by=id' }))
    const disputed = (amount: number, payment = 'same') =>
      ({ kind: 'chargeback', dispute: 'dp_1', payment, amount, statusCode: 'chargeback' }) as const

    it('have separate disputes with the same id, each about its own payment', async () => {
      await says('here', disputed(1000))
      await says('there', disputed(2000))
      for (const id of [here, there]) expect(await business.read(id)).to.include({ status: 'rejected' })
      await says('there', { ...disputed(2000), kind: 'dispute_won' })
      expect(await business.read(here)).to.include({ status: 'rejected' })
      expect(await business.read(there)).to.include({ status: 'processed' })
      expect(await exceptions()).to.deep.equal([])
    })

    it('open one reconciliation exception if two processes read the same notice at the same time', async () => {
      const found = { ...disputed(500, 'unknown'), dispute: 'dp_of_none' }
      let arrived = 0
      let release: () => void = () => undefined
      const both = new Promise<void>((resolve) => {
        release = resolve
      })
      const gateway = named('there', [found])
      const waiting: RemoteGateway = {
        ...gateway,
        async read(notification) {
          if (++arrived === 2) release()
          await both
          return (await gateway.read?.(notification)) ?? []
        },
      }
      const processes = [
        await business.another(open, { gateway: waiting }),
        await business.another(open, { gateway: waiting }),
      ]
      await (await processes[0]?.environment.atGateway('there'))?.pollEvents()
      await Promise.all(
        processes.map(
          async (each) => await (await each.environment.atGateway('there')).handleNotifications(),
        ),
      )
      expect((await exceptions()).map(({ kind }) => kind)).to.deep.equal(['unknown_payment'])
    })

    const refund = (amount: number): GatewayNotice => ({
      kind: 'operation',
      reference: undefined,
      type: 'refund',
      amount,
      parent: 'same',
      outcome: { result: 'approved', amount, gatewayId: 're_1' },
    })

    it('have separate refunds by hand with the same id', async () => {
      await says('here', refund(100))
      await says('there', refund(300))
      const about = (await exceptions()).map(({ transaction_id: id, amount }) => [id, amount])
      expect(about).to.deep.equal([
        [here, 1],
        [there, 3],
      ])
    })

    it('have a refund by hand booked at the gateway that made it', async () => {
      await says('there', refund(300))
      const [raised] = await exceptions()
      await business.core.ok('POST', `/admin/exceptions/${raised?.id}/resolve`, {
        resolution: 'link',
        transaction_id: there,
        reason: 'refunded by phone',
      })
      const query = 'type=refund&fields=amount,gateway,gateway_id'
      const refunds = valuesOf(await business.core.ok('GET', '/transactions', undefined, { query }))
      expect(refunds).to.deep.equal([{ amount: 3, gateway: 'there', gateway_id: 're_1' }])
    })

    it('have exceptions that can be linked only to their own transactions', async () => {
      await says('here', disputed(500, 'nobody'))
      await says('there', disputed(500, 'nobody'))
      const [first, second] = await exceptions()
      expect([first?.gateway, second?.gateway]).to.deep.equal(['here', 'there'])
      const link = async (transaction_id: string) =>
        await business.core.send('POST', `/admin/exceptions/${second?.id}/resolve`, {
          resolution: 'link',
          transaction_id,
          reason: 'found',
        })
      expect((await link(here)).body).to.deep.include({
        details: { transaction_id: 'Was not taken by there' },
      })
      expect((await link(there)).status).to.equal(200)
      expect(await business.ledger(there)).to.deep.equal(['chargeback -5'])
      expect(await business.ledger(here)).to.deep.equal([])
    })

    it('never book their notices to a payment of the other gateway', async () => {
      await says('there', disputed(700, here))
      expect(await business.ledger(here)).to.deep.equal([])
      expect((await exceptions()).map(({ kind }) => kind)).to.deep.equal(['unknown_payment'])
    })
  })
})
