import { expect } from 'chai'
import fc from 'fast-check'
import type { MoneyTakenBack } from '../../../src/gateways/contract.js'
import { type RemoteSimulator, remoteSimulator } from '../../../src/gateways/simulator/remote-simulator.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { Business } from '../../support/business.js'
import { idOf, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, pay } from '../../support/examples.js'
import { eventsOf } from '../payments/books.js'

describe('a reconciliation exception', () => {
  onDatabases((open) => {
    let gateway: RemoteSimulator
    let business: Business
    let account: string
    let told = 0
    before(async () => {
      gateway = remoteSimulator()
      business = await Business.open(open, { gateway })
      account = await business.account()
    })

    const reconcile = () => business.core.environment.reconcile(0)
    const findings = async () => (await business.core.ok('GET', '/admin/verify')).findings
    const exceptions = async (query: string) =>
      valuesOf(await business.core.ok('GET', '/admin/exceptions', undefined, { query }))
    const resolve = (id: string, body: JsonObject) =>
      business.core.send('POST', `/admin/exceptions/${id}/resolve`, { reason: 'so decided', ...body })
    const paid = async (amount = 10, more: JsonObject = {}) =>
      idOf(await pay(business.core, account, amount, more))
    /** Lets the gateway report a dispute; returns the exception that the dispute opens. */
    const raised = async (payment: string, amount: number, more: Partial<MoneyTakenBack> = {}) => {
      const dispute = `dp_${++told}`
      gateway.report({ kind: 'chargeback', dispute, payment, amount, statusCode: 'chargeback', ...more })
      await reconcile()
      const [found] = await exceptions(`gateway_id=${more.dispute ?? dispute}`)
      return found ?? {}
    }
    const booked = async (id?: string) => {
      const handle = business.core.environment.core
      const rows = await handle.write(({ tx }) =>
        tx.db.selectFrom('exception_postings').selectAll().orderBy('id').execute(),
      )
      return rows
        .filter(({ exception_id }) => id === undefined || exception_id === id)
        .map(({ from_account, to_account, amount }) => ({ from_account, to_account, amount: Number(amount) }))
    }

    it('about an unknown payment can be linked to the right payment', async () => {
      const payment = await paid(29.99)
      const { id, resolutions } = await raised('of another system', 1000)
      expect(resolutions).to.deep.equal(['link', 'loss', 'ignore'])
      for (const [body, details] of [
        [{ resolution: 'link' }, { transaction_id: 'Required' }],
        [{ resolution: 'link', transaction_id: 'txn_nowhere' }, { transaction_id: 'Not found' }],
        [{ resolution: 'loss', transaction_id: payment }, { transaction_id: 'Is for link alone' }],
        [
          { resolution: 'refund' },
          { resolution: 'Does not fit: unknown_payment is resolved by ignore, loss, link' },
        ],
      ] as const)
        expect((await resolve(String(id), body)).body).to.deep.include({ details })
      const { body } = await resolve(String(id), { resolution: 'link', transaction_id: payment })
      expect(body).to.include({ status: 'resolved', resolution: 'link', transaction_id: payment })
      expect(await business.ledger(payment)).to.deep.equal(['chargeback -10'])
      expect(await eventsOf(business.core, String(id))).to.deep.equal([
        'exception open',
        'exception resolved',
      ])
      expect((await resolve(String(id), { resolution: 'ignore' })).status).to.equal(409)
      expect(await findings()).to.deep.equal([])
    })

    it('that fits no transaction can be booked as a loss, whose postings verify checks', async () => {
      const { id } = await raised('nobody knows', 1234)
      expect((await resolve(String(id), { resolution: 'loss' })).body).to.include({ resolution: 'loss' })
      expect(await booked(String(id))).to.deep.equal([
        { from_account: 'chargeback_loss', to_account: 'processor_clearing', amount: 1234 },
        { from_account: 'processor_clearing', to_account: 'cash', amount: 1234 },
      ])
      expect(await findings()).to.deep.equal([])
      const handle = business.core.environment.core
      await handle.write(({ tx }) =>
        tx.any
          .updateTable('exception_postings')
          .set({ amount: 1233 })
          .where('exception_id', '=', String(id))
          .execute(),
      )
      expect(JSON.stringify(await findings())).to.include(String(id))
      await handle.write(({ tx }) =>
        tx.any
          .updateTable('exception_postings')
          .set({ amount: 1234 })
          .where('exception_id', '=', String(id))
          .execute(),
      )
    })

    it('about returned money cannot be booked as a loss', async () => {
      const payment = await paid()
      const { id, resolutions, explanation } = await raised(payment, 1000, { kind: 'dispute_won' })
      expect(resolutions).to.deep.equal(['link', 'ignore'])
      expect(explanation).to.equal('It does not fit this payment: dispute: Not found')
      expect((await resolve(String(id), { resolution: 'loss' })).status).to.equal(400)
      expect(
        (await resolve(String(id), { resolution: 'link', transaction_id: payment })).body,
      ).to.deep.include({
        details: { dispute: 'Not found' },
      })
      expect((await resolve(String(id), { resolution: 'ignore' })).status).to.equal(200)
    })

    it('about a partial approval can be resolved by a refund, at once or when its outcome is known', async () => {
      gateway.script(
        { result: 'approved', amount: 400, gatewayId: 'g_part' },
        { result: 'declined', statusCode: 'declined' },
      )
      const declined = { type: 'payment', amount: 10, processing_id: account, payment_method: card() }
      expect((await business.core.send('POST', '/transactions', declined)).status).to.equal(400)
      const [part] = await exceptions('kind=partial_approval')
      const id = idOf(part ?? {})
      gateway.script({ result: 'not_sent', problem: 'refused' })
      expect((await resolve(id, { resolution: 'refund' })).status).to.equal(503)
      gateway.script({ result: 'declined', statusCode: 'declined' })
      expect((await resolve(id, { resolution: 'refund' })).body).to.deep.include({
        details: { resolution: 'The gateway does not give it back: declined' },
      })
      // The void is declined because the payment has settled; it is refunded, and that answer is lost.
      gateway.script({ result: 'declined', statusCode: 'already_settled' }, 'times_out_after')
      const asked = await resolve(id, { resolution: 'refund' })
      expect(asked.body).to.include({ status: 'open' })
      expect(gateway.performed.at(-1)).to.deep.include({ type: 'refund', amount: 400 })
      expect((await resolve(id, { resolution: 'ignore' })).status).to.equal(409)
      await reconcile()
      expect(await business.core.ok('GET', `/admin/exceptions/${id}`)).to.include({
        status: 'resolved',
        resolution: 'refund',
        reason: 'so decided',
        pending_operation: null,
      })
      expect(await findings()).to.deep.equal([])
    })

    it('about an approval of too much can be resolved by a refund of the difference', async () => {
      gateway.script({ result: 'approved', amount: 1500, gatewayId: 'g_more' })
      await paid()
      const [more] = await exceptions('kind=amount_differs')
      expect(more).to.deep.include({ amount: 5, resolutions: ['refund', 'ignore'] })
      expect((await resolve(idOf(more ?? {}), { resolution: 'refund' })).body).to.include({
        status: 'resolved',
      })
      expect(gateway.performed.at(-1)).to.deep.include({ type: 'refund', amount: 500 })
    })

    it('books only losses, and keeps the books balanced, for every resolution', async () => {
      const resolved = async ({ amount, resolution, known }: Found) => {
        const payment = known ? await paid(10, { status: 'authorized' }) : 'nowhere'
        const { id } = await raised(payment, amount)
        if (resolution !== 'open') expect((await resolve(String(id), { resolution })).status).to.equal(200)
      }
      const before = sum(await booked())
      await fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.record({
              amount: fc.integer({ min: 1, max: 9_999_999 }),
              resolution: fc.constantFrom('loss', 'ignore', 'open'),
              known: fc.boolean(),
            }),
            { minLength: 1, maxLength: 4 },
          ),
          async (each) => {
            const earlier = sum(await booked())
            for (const found of each) await resolved(found)
            const now = sum(await booked())
            const lost = each.reduce(
              (all, { amount, resolution }) => all + (resolution === 'loss' ? amount : 0),
              0,
            )
            expect(now.all).to.equal(0)
            expect(now.loss - earlier.loss).to.equal(-lost)
            expect(now.cash - earlier.cash).to.equal(lost)
          },
        ),
        { numRuns: 4 },
      )
      expect(before.all).to.equal(0)
      expect(await findings()).to.deep.equal([])
      expect(await business.audit()).to.deep.equal([])
    })
  })
})

interface Found {
  readonly amount: number
  readonly resolution: string
  readonly known: boolean
}

interface Moved {
  readonly from_account: string
  readonly to_account: string
  readonly amount: number
}

/** Returns the balances, in minor units, of the accounts that a loss moves money between. */
function sum(postings: readonly Moved[]) {
  const balances: Record<string, number> = {}
  for (const { from_account: from, to_account: to, amount } of postings) {
    balances[from] = (balances[from] ?? 0) - amount
    balances[to] = (balances[to] ?? 0) + amount
  }
  const all = Object.values(balances).reduce((total, balance) => total + balance, 0)
  return { all, loss: balances.chargeback_loss ?? 0, cash: balances.cash ?? 0 }
}
