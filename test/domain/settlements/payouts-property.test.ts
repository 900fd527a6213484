import { randomInt } from 'node:crypto'
import { expect } from 'chai'
import fc from 'fast-check'
import type { JsonObject } from '../../../src/schema/json.js'
import { onDatabases } from '../../support/databases.js'
import { LiveShop } from './live-shop.js'

type Lines = Parameters<NonNullable<Parameters<LiveShop['payouts']['payOut']>[1]>>[0]

type Step =
  | { readonly kind: 'pay'; readonly cents: number; readonly account: number }
  | { readonly kind: 'refund'; readonly nth: number; readonly part: number }
  | { readonly kind: 'refund fails' | 'payout fails' | 'foreign'; readonly nth: number }
  | { readonly kind: 'settle' }
  | { readonly kind: 'wait'; readonly hours: number }

const of = <const K extends string>(...kinds: K[]) => fc.constantFrom(...kinds)
const nth = fc.nat({ max: 10 })
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: of('pay'),
      cents: fc.integer({ min: 50, max: 9_999 }),
      account: fc.nat({ max: 1 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: of('refund'), nth, part: fc.constantFrom(10, 50, 100) }) },
  { weight: 3, arbitrary: fc.record({ kind: of('refund fails', 'payout fails', 'foreign'), nth }) },
  { weight: 4, arbitrary: fc.record({ kind: of('settle') }) },
  { weight: 1, arbitrary: fc.record({ kind: of('wait'), hours: fc.constantFrom(1, 30, 24 * 16) }) },
)

const RUNS = 6

const minor = (value: JsonObject[string] | undefined) => Math.round(Number(value ?? 0) * 100)

/** A gateway at which payouts and refunds fail after they were reported as made. */
class Story {
  private readonly payments: string[] = []
  /** Failed payouts, whose money is in the next payout. */
  private failed: { readonly id: string; readonly amount?: unknown }[] = []

  constructor(
    readonly shop: LiveShop,
    readonly accounts: readonly string[],
  ) {}

  async act(step: Step): Promise<void> {
    const { shop, payments } = this
    switch (step.kind) {
      case 'pay': {
        payments.push(await shop.pay(this.accounts[step.account] ?? '', step.cents / 100))
        return
      }
      case 'refund': {
        const id = payments[step.nth % Math.max(1, payments.length)]
        if (id === undefined) return
        const { amount } = await shop.read(id)
        const share = Math.max(1, Math.round(Number(amount) * step.part)) / 100
        const ledger = [{ assoc_transaction_id: id }]
        await shop.send('POST', '/transactions', { type: 'refund', amount: share, ledger })
        return
      }
      case 'refund fails':
        return await this.failRefund(step.nth)
      case 'payout fails':
        return await this.failPayout(step.nth)
      case 'foreign': {
        const { id } = shop.server.books.createMethod(new Map([['type', 'card']]))
        shop.server.books.createIntent(
          new Map([
            ['payment_method', id],
            ['allowed_payment_method_types[0]', 'card'],
            ['amount', String(1_000 + step.nth)],
          ]),
        )
        return
      }
      case 'settle':
        return await this.settle()
      case 'wait':
        return await shop.wait(step.hours)
    }
  }

  private async failRefund(nth: number): Promise<void> {
    const { refunds } = this.shop.server.books
    const found = refunds[nth % Math.max(1, refunds.length)]
    if (!found || found.status === 'failed') return
    Object.assign(found, { status: 'failed', failure_reason: 'expired_or_canceled_card' })
    if (nth % 2 === 0) await this.shop.say('refund.failed', found)
  }

  /** Lets the latest payout fail, as only a later payout can contain its money again. */
  private async failPayout(nth: number): Promise<void> {
    const last = this.shop.server.payouts.at(-1)
    if (!last || last['status'] === 'failed' || Number(last['amount']) <= 0) return
    Object.assign(last, { status: 'failed', failure_code: 'account_closed' })
    this.failed.push({ id: String(last['id']), ...last })
    if (nth % 2 === 0) await this.shop.say('payout.failed', last)
  }

  async settle(): Promise<void> {
    const { shop } = this
    const { failed } = this
    this.failed = []
    await shop.settle(
      (lines, payout): Lines => [
        ...lines,
        ...failed.map((each) => shop.payouts.stray(payout, 'payout_failure', Number(each.amount), each)),
      ],
    )
  }
}

describe('payouts and refunds that fail at any time', () => {
  onDatabases((open) => {
    it('leave each payout equal to its deposits plus the charges of others', async () => {
      const property = fc.asyncProperty(fc.array(steps, { maxLength: 30, size: 'max' }), async (sequence) => {
        const shop = await LiveShop.open(open)
        const story = new Story(shop, [await shop.account('gateway'), await shop.account('gateway')])
        for (const step of sequence) await story.act(step)
        await shop.wait(7)
        expect(await shop.findings()).to.deep.equal([])
        // The last payout contains the money of payouts that have failed.
        await story.settle()
        await shop.wait(7)
        expect(await shop.findings()).to.deep.equal([])
        const raised = await shop.list('/admin/exceptions')
        const open1 = raised.filter(({ status, kind }) => status === 'open' && kind !== 'refund_failed')
        expect(open1).to.deep.equal([])
        expect(await shop.books()).to.not.have.any.keys('suspense', 'processor_clearing', 'bank_in_transit')
        await expectPaid(shop)
      })
      await fc.assert(property, { numRuns: RUNS, seed: randomInt(2 ** 31), endOnFailure: true })
    })
  })

  async function expectPaid(shop: LiveShop): Promise<void> {
    const { core } = await shop.core.app.environment('live')
    const moved = await core.write(({ tx }) =>
      tx.db
        .selectFrom('transactions')
        .select(['settlement_id', 'type', 'amount'])
        .where('settlement_id', 'is not', null)
        .execute(),
    )
    for (const { id, status, net } of await shop.list('/admin/settlements')) {
      const foreign = await shop.list('/admin/settlement_lines', `settlement_id=${id}&kind=foreign`)
      const outside = foreign.reduce((sum, { amount, fee }) => sum + minor(amount) - minor(fee), 0)
      const own = moved
        .filter(({ settlement_id: of }) => of === id)
        .reduce((sum, { type, amount }) => sum + (type === 'deposit' ? 1 : -1) * (amount ?? 0), 0)
      expect(own).to.equal(status === 'failed' ? 0 : minor(net) - outside)
    }
  }
})
