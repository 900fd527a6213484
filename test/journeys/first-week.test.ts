import { expect } from 'chai'
import type { Capabilities, Rail } from '../../src/gateways/contract.js'
import { rails } from '../../src/gateways/registry/rails.js'
import { SIMULATED } from '../../src/gateways/simulator/remote-simulator.js'
import { openRailClient } from '../../src/platform/network/rail-client.js'
import type { WireServer } from '../gateways/contract/opened-rail.js'
import { RAILS, wireServers } from '../gateways/contract/wire-servers.js'
import { idOf } from '../support/core.js'
import { onDatabases } from '../support/databases.js'
import { card } from '../support/examples.js'
import { Week } from './week.js'

const DAY = 86_400_000
/**
 * Days before the week on which another shop, in the same account at the rail, had charges. It also has charges
 * during the week.
 */
const HISTORY = [400, 300, 200, 100]
const CHARGES = 40

/** A rail and its declared capabilities. The simulator needs no set-up, and its payouts are assumed to arrive. */
interface Declared {
  readonly kind: (typeof RAILS)[number] | 'simulator'
  readonly can: Capabilities
  /** Whether the rail accepts answers to disputes. */
  readonly answers: boolean
}

async function declared(kind: (typeof RAILS)[number]): Promise<Declared> {
  const load = await rails[kind]?.load()
  if (!load) throw new Error(`There is no rail ${kind}`)
  const rail: Rail = load({ http: openRailClient({ loopback: false }), now: Date.now })
  return { kind, can: rail.capabilities, answers: rail.disputes !== undefined }
}

const WEEKS: readonly Declared[] = [
  ...(await Promise.all(RAILS.map(declared))),
  { kind: 'simulator', can: SIMULATED, answers: true },
]

for (const { kind, can, answers } of WEEKS)
  describe(`journey: the first week of a merchant by ${kind}`, () => {
    onDatabases((open) => {
      const { reports } = can
      const isRemote = kind !== 'simulator'
      const paysOut = !isRemote || reports.payouts
      const time = {
        behind: 0,
        get now() {
          return Date.now() - this.behind
        },
      }
      let week: Week
      let wire: WireServer | undefined
      let paidBefore = 0
      let disputed = ''
      let foreign = 0

      /** Takes the charges of the other shop, and adds their amounts to `foreign`. */
      const takeForeign = async () => {
        for (let n = 0; n < CHARGES; n++) {
          await wire?.foreign(1_000 + n)
          foreign += 1_000 + n
        }
      }
      const it_ = (isDeclared: boolean, title: string, test: () => Promise<void>) => {
        if (isDeclared) it(title, test)
      }

      before(async () => {
        if (kind !== 'simulator') {
          time.behind = (HISTORY[0] ?? 0) * DAY
          wire = await wireServers[kind](time, () => open.migrated())
          const { settlesAfter = 0, close } = wire
          open.atEnd(close)
          for (const [settled, days] of HISTORY.entries()) {
            time.behind = days * DAY + settled * settlesAfter
            await takeForeign()
            await wire.settle()
          }
          time.behind = HISTORY.length * settlesAfter
        }
        week = await Week.open(open, wire)
      })
      afterEach(async () => {
        await week.expectVerified()
      })

      it_(isRemote, 'begins by adding, testing and routing to a gateway', async () => {
        if (!wire) return
        paidBefore = (await wire.paidOut?.()) ?? 0
        wire.charge?.()
        await week.connect(kind, wire)
        await week.see('settings/gateways', 'up')
        if (reports.payouts)
          await week.type('processing-accounts', 'update', week.account, '--processing.payouts', 'gateway')
        await takeForeign()
      })

      it('takes the first payment on the page of a payment link', async () => {
        const paid = await week.payByPage(31)
        expect(await week.read(paid)).to.include({ status: 'processed', amount: 31 })
        await week.see(`transactions/${paid}`, '$31.00')
      })

      it('takes a payment by a billing schedule', async () => {
        const payment_methods = [{ ...card(), default_payment_method: true }]
        const primary_processing_id = week.account
        const customer = { name: 'Ada Park', primary_processing_id, payment_methods }
        const customer_id = idOf(await week.core('POST', '/customers', customer))
        await week.core('POST', '/billing_schedules', {
          customer_id,
          processing_id: week.account,
          recurring_frequency: 'monthly',
          charges: [{ amount: 32 }],
        })
        await week.type('billing', 'run')
        const [billed] = await week.list('/transactions', `customer_id=${customer_id}`)
        expect(billed).to.include({ status: 'processed', amount: 32 })
        await week.see(`transactions/${idOf(billed ?? {})}`, '$32.00')
      })

      it_(can.partialCapture, 'captures a part of an authorized payment', async () => {
        const held = await week.pay(40, '--authorize')
        await week.see(`transactions/${held}`, '$40.00')
        const part = await week.type('transactions', 'capture', held, '--amount', '25')
        expect(part).to.include({ status: 'processed', amount: 25 })
        await week.see(`transactions/${held}`, '$25.00')
      })

      it_(can.partialRefund, 'refunds a part of a payment', async () => {
        const paid = await week.pay(50)
        if (!can.refundBeforeSettlement) await week.payOut()
        const refund = await week.type('transactions', 'refund', paid, '--amount', '10')
        expect(refund).to.include({ status: 'processed', amount: 10 })
        await week.see(`transactions/${paid}`, '$10.00')
      })

      it_(reports.failedRefunds, 'retries a refund that failed after its approval', async () => {
        const paid = await week.pay(60)
        const refund = idOf(await week.type('transactions', 'refund', paid, '--amount', '20'))
        const posted = await wire?.failRefund?.(await week.there(refund))
        if (!posted) throw new Error('The rail fails no refund')
        await week.told(posted)
        expect(await week.read(refund)).to.include({ status: 'declined' })
        expect(await week.open()).to.deep.equal(['refund_failed'])
        await week.decide('refund_failed', 'retry')
        const refunds = await week.list('/transactions', 'type=refund&amount=20')
        expect(refunds.map(({ status }) => status)).to.deep.equal(['declined', 'processed'])
        expect(await week.open()).to.deep.equal([])
      })

      it_(answers, 'answers a dispute', async () => {
        disputed = await week.pay(70)
        const dispute = await week.takeBack(disputed, reports.disputes)
        await week.see('disputes', '$70.00')
        await week.type('disputes', 'contest', dispute, '--text', 'It was delivered', '--yes')
        expect(await week.core('GET', `/disputes/${dispute}`)).to.include({
          stage: 'under_review',
          answer: 'contest',
        })
        await week.see(`disputes/${dispute}`, '$70.00')
      })

      it('loses a dispute', async () => {
        const payment = disputed || (await week.pay(70))
        if (disputed === '') await week.takeBack(payment, reports.disputes)
        await week.lose(payment, reports.disputes)
        const [dispute] = await week.list('/disputes', `transaction_id=${payment}`)
        expect(dispute).to.include({ stage: 'lost' })
        expect(await week.read(payment)).to.include({ status: 'rejected' })
        await week.see(`disputes/${idOf(dispute ?? {})}`, '$70.00')
        expect(await week.open()).to.deep.equal([])
      })

      it_(paysOut, 'receives a payout', async () => {
        await week.payOut()
        expect(await week.open()).to.deep.equal([])
        const [deposit] = await week.list('/transactions', 'type=deposit')
        expect(deposit).to.include({ status: 'processed' })
        await week.see(`deposits/${idOf(deposit ?? {})}`)
      })

      it_(reports.failedPayouts, 'gets an exception for a payout that did not arrive', async () => {
        const posted = wire?.failPayout?.()
        if (!posted) throw new Error('The rail fails no payout')
        await week.told(posted)
        expect(await week.open()).to.deep.equal(['payout_failed'])
        const [raised] = await week.list('/admin/exceptions', 'kind=payout_failed')
        await week.see(`exceptions/${idOf(raised ?? {})}`, 'did not get')
      })

      it_(reports.reserves, 'books a reserve that the rail holds back, and its later release', async () => {
        await week.pay(80)
        wire?.reserve?.(1_500)
        await week.payOut()
        expect(await week.open()).to.deep.equal(['settlement_differs'])
        expect(await week.suspense()).to.equal(-1_500)
        await week.decide('settlement_differs', 'reserve')
        expect(await week.suspense()).to.equal(0)
        wire?.reserve?.(-1_500)
        await week.pay(81)
        await week.payOut()
        await week.decide('settlement_differs', 'reserve_released')
      })

      it('ends without an open exception', async () => {
        await week.pay(82)
        await week.payOut()
        const raised = await week.list('/admin/exceptions')
        expect(raised.map(({ kind, resolution }) => `${kind} ${resolution}`)).to.deep.equal([
          ...(reports.failedRefunds ? ['refund_failed retry'] : []),
          // A later payout paid the money of the failed one.
          ...(reports.failedPayouts ? ['payout_failed link'] : []),
          ...(reports.reserves ? ['settlement_differs reserve', 'settlement_differs reserve_released'] : []),
        ])
        expect(await week.suspense()).to.equal(0)
        await week.see('exceptions', 'No exception waits')
      })

      it_(isRemote, 'ends with the same books as the rail', async () => {
        const all = await week.list('/transactions', 'fields=*,conv_fee')
        const of = (...types: readonly string[]) => all.filter(({ type }) => types.includes(String(type)))
        const taken = (type: string) => {
          const rows = of(type).filter(({ status }) => status === 'processed' || status === 'rejected')
          return week.sum(rows) + week.sum(rows, 'conv_fee')
        }
        expect(await wire?.taken()).to.equal(taken('payment') - taken('refund') + foreign)
        const deposits = week.sum(of('deposit')) - week.sum(of('reversal'))
        const lines = await week.list('/admin/settlement_lines', 'kind=foreign&status=matched')
        if (reports.payouts) {
          const settlements = await week.list('/admin/settlements', 'status=complete')
          const others = week.sum(lines) - week.sum(lines, 'fee')
          expect(deposits + others).to.equal(week.sum(settlements, 'net'))
          expect(paidBefore + deposits + others).to.equal(await wire?.paidOut?.())
        }
        const counted = lines.reduce((sum, { count }) => sum + Number(count), 0)
        expect(counted).to.equal(CHARGES)
        await week.see('deposits')
      })
    })
  })
