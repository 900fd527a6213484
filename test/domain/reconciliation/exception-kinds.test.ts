import { expect } from 'chai'
import { recordForgotten } from '../../../src/domain/reconciliation/record-forgotten.js'
import { recordNotice } from '../../../src/domain/reconciliation/record-notice.js'
import type { FoundOperation, GatewayNotice } from '../../../src/gateways/contract.js'
import { type RemoteSimulator, remoteSimulator } from '../../../src/gateways/simulator/remote-simulator.js'
import { resources } from '../../../src/resources/resource-table.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { Business } from '../../support/business.js'
import { idOf, objectOf, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, pay } from '../../support/examples.js'
import { LiveShop } from '../settlements/live-shop.js'

type Exception = Pick<JsonObject, 'kind' | 'gateway' | 'gateway_id' | 'transaction_id' | 'processing_id'>

/** A business with a simulated gateway, which sends notices about its payments. */
class Scene {
  private constructor(
    readonly gateway: RemoteSimulator,
    readonly business: Business,
    readonly account: string,
  ) {}

  static async open(open: Parameters<typeof Business.open>[0]): Promise<Scene> {
    const gateway = remoteSimulator()
    const business = await Business.open(open, { gateway })
    return new Scene(gateway, business, await business.account({ duplicate_window: 0 }))
  }

  /** Takes a payment of 10.00; returns its id and its id at the gateway. */
  async paid(more: JsonObject = {}) {
    const { id } = await pay(this.business.core, this.account, 10, more)
    const row = await this.business.core.ok('GET', `/transactions/${id}`, undefined, {
      query: 'fields=gateway_id',
    })
    return { transaction_id: String(id), gateway_id: row.gateway_id ?? null }
  }

  async declined(): Promise<string> {
    const body = { type: 'payment', amount: 10, processing_id: this.account, payment_method: card() }
    const answer = await this.business.core.send('POST', '/transactions', body)
    return idOf(objectOf(answer.body.details))
  }

  async told(notice: GatewayNotice): Promise<void> {
    const handle = this.business.core.environment.core
    await handle.write((work) => recordNotice(work, this.gateway, notice))
  }

  async takenBack(payment: string, amount: number, dispute = 'dp_1'): Promise<void> {
    await this.told({ kind: 'chargeback', dispute, payment, amount, statusCode: 'chargeback' })
  }
}

const approved = (amount: number, gatewayId: string) => ({ result: 'approved', amount, gatewayId }) as const
const found = (reference: string, more: Partial<FoundOperation> = {}): FoundOperation => ({
  kind: 'operation',
  reference,
  type: 'sale',
  amount: 1000,
  outcome: approved(1000, 'g_found'),
  ...more,
})
const none = { transaction_id: null, processing_id: null }

/** Situations that open each kind of exception. Each returns the expected attributes of the exception. */
const CASES: readonly (readonly [kind: string, what: string, (on: Scene) => Promise<Partial<Exception>>])[] =
  [
    [
      'amount_differs',
      'an approval of too much',
      async (on) => {
        on.gateway.script(approved(1500, 'g_more'))
        return await on.paid()
      },
    ],
    [
      'amount_differs',
      'a capture of too much',
      async (on) => {
        on.gateway.script(approved(1000, 'g_held'), approved(1500, 'g_capture'))
        const held = await on.paid({ status: 'authorized' })
        await on.business.core.ok('PUT', `/transactions/${held.transaction_id}`, { status: 'processed' })
        return held
      },
    ],
    [
      'amount_differs',
      'a partial capture at the gateway',
      async (on) => {
        on.gateway.script(approved(1000, 'g_held'))
        const held = await on.paid({ status: 'authorized' })
        await on.told(
          found(held.transaction_id, {
            type: 'authorize',
            state: 'captured',
            amount: 400,
            outcome: approved(400, 'g_held'),
          }),
        )
        return held
      },
    ],
    [
      'amount_differs',
      'a void at the gateway after a refund',
      async (on) => {
        on.gateway.script(approved(1000, 'g_sale'))
        const sale = await on.paid()
        await on.business.refund(sale.transaction_id, 4)
        await on.told(found(sale.transaction_id, { state: 'voided', outcome: approved(1000, 'g_sale') }))
        return sale
      },
    ],
    [
      'amount_differs',
      'a refund at the gateway',
      async (on) => {
        on.gateway.script(approved(1000, 'g_sale'))
        const sale = await on.paid()
        const refund = {
          type: 'refund',
          amount: 400,
          parent: 'g_sale',
          outcome: approved(400, 'g_refund'),
        } as const
        await on.told(found('of somebody', refund))
        return { ...sale, gateway_id: 'g_refund' }
      },
    ],
    [
      'refund_failed',
      'a refund that failed, without an id of its own',
      async (on) => {
        const { transaction_id: sale } = await on.paid()
        on.gateway.script(approved(400, 'g_refund'))
        const refund = idOf(await on.business.refund(sale, 4))
        await on.told(
          found(refund, {
            type: 'refund',
            amount: 400,
            outcome: { result: 'declined', statusCode: 'declined' },
          }),
        )
        return { transaction_id: refund, gateway_id: 'g_refund' }
      },
    ],
    [
      'partial_approval',
      'a partial approval that cannot be voided',
      async (on) => {
        on.gateway.script(approved(500, 'g_part'), { result: 'declined', statusCode: 'declined' })
        return { transaction_id: await on.declined(), gateway_id: 'g_part' }
      },
    ],
    [
      'late_approval',
      'an approval after the payment was declined as never sent',
      async (on) => {
        on.gateway.script('fails_before')
        const { transaction_id: id } = await on.paid()
        await on.business.core.environment.reconcile(0)
        await on.told(found(id))
        return { transaction_id: id, gateway_id: 'g_found' }
      },
    ],
    [
      'late_approval',
      'an approval without an id after a decline with one',
      async (on) => {
        on.gateway.script({ result: 'declined', statusCode: 'declined', gatewayId: 'g_declined' })
        const id = await on.declined()
        await on.told(found(id, { outcome: { result: 'approved', amount: 1000 } }))
        return { transaction_id: id, gateway_id: 'g_declined' }
      },
    ],
    [
      'unknown_payment',
      'a dispute of an unknown payment',
      async (on) => {
        await on.takenBack('of somebody', 1000)
        return { ...none, gateway_id: 'dp_1' }
      },
    ],
    [
      'dispute_beyond_balance',
      'a dispute of more than the balance',
      async (on) => {
        const { transaction_id } = await on.paid()
        await on.business.refund(transaction_id, 4)
        await on.takenBack(transaction_id, 1000)
        return { transaction_id, gateway_id: 'dp_1' }
      },
    ],
    [
      'dispute_unexpected',
      'a dispute of a payment that was voided',
      async (on) => {
        const { transaction_id } = await on.paid()
        await on.business.core.ok('PUT', `/transactions/${transaction_id}`, { status: 'voided' })
        await on.takenBack(transaction_id, 1000)
        return { transaction_id, gateway_id: 'dp_1' }
      },
    ],
    [
      'forgotten_operation',
      'a payment that a restored database lacks',
      async (on) => {
        const handle = on.business.core.environment.core
        await handle.write((work) => recordForgotten(work, on.gateway, found('txn_forgotten')))
        return { ...none, gateway_id: 'g_found' }
      },
    ],
  ]

describe('a reconciliation exception names its gateway, the operation at that gateway and the transaction', () => {
  onDatabases((open) => {
    for (const [kind, what, bringAbout] of CASES)
      it(`${kind}: ${what}`, async () => {
        const on = await Scene.open(open)
        const named = await bringAbout(on)
        const [raised, ...others] = valuesOf(await on.business.core.ok('GET', '/admin/exceptions'))
        expect(others).to.deep.equal([])
        expect(raised).to.include({ kind, gateway: on.gateway.name, processing_id: on.account, ...named })
        expect(raised?.gateway_id).to.be.a('string')
        const { findings } = await on.business.core.ok('GET', '/admin/verify')
        expect(findings).to.deep.equal([])
      })

    it('settlement_differs: a lower amount, an unknown settlement line, and a payment without a line', async () => {
      const shop = await LiveShop.open(open)
      const account = await shop.account('gateway')
      const less = await shop.pay(account, 20)
      const missing = await shop.pay(account, 30)
      const there = async (id: string) =>
        (await shop.ok('GET', `/transactions/${id}`, undefined, 'fields=gateway_id')).gateway_id
      await shop.settle((lines) => [
        ...lines
          .filter(({ amount }) => amount !== 3000)
          .map((line) => ({ ...line, amount: line.amount - 1 })),
        shop.payouts.stray('po_0001', 'charge', 500),
      ])
      shop.time.now += 20 * 86_400_000
      await shop.pay(account, 40)
      await shop.settle()
      const raised = await shop.list('/admin/exceptions')
      const common = { kind: 'settlement_differs', gateway: 'cards' }
      const of = (id: string | null) => raised.find((each) => each.transaction_id === id)
      for (const id of [less, missing])
        expect(of(id)).to.include({ ...common, processing_id: account, gateway_id: await there(id) })
      expect(of(null)).to.include({ ...common, processing_id: account })
      expect(of(null)?.gateway_id).to.be.a('string')
    })

    it('as every kind is tested above', () => {
      const kinds = new Set([...CASES.map(([kind]) => kind), 'settlement_differs', 'payout_failed'])
      expect([...kinds]).to.have.members([...resources.exception.fields.kind.values])
    })
  })
})
