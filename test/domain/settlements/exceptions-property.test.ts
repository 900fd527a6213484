import { randomInt } from 'node:crypto'
import { expect } from 'chai'
import fc from 'fast-check'
import type { JsonObject } from '../../../src/schema/json.js'
import { moneyWithCurrency } from '../../../src/schema/money.js'
import { idOf, listOf, objectOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { LiveShop } from './live-shop.js'

type Lines = Parameters<NonNullable<Parameters<LiveShop['payouts']['payOut']>[1]>>[0]
type Line = Lines[number]

/** A change that a gateway makes to a settlement line, or a settlement line that it adds. */
type Fault =
  | { readonly kind: 'right' | 'late' | 'twice' | 'never' }
  | { readonly kind: 'differs'; readonly cents: number }
  | { readonly kind: 'stray'; readonly cents: number; readonly type: string }

/** A random step of a payer, the gateway, the clock or the operator. */
type Step =
  | { readonly kind: 'pay'; readonly cents: number; readonly voided: boolean }
  | {
      readonly kind: 'told'
      readonly what: 'foreign dispute' | 'dispute' | 'refund by hand'
      readonly nth: number
    }
  | { readonly kind: 'settle'; readonly faults: readonly Fault[] }
  | { readonly kind: 'wait'; readonly days: number }
  | { readonly kind: 'resolve'; readonly nth: number; readonly choice: number; readonly transaction: number }

const of = <const K extends string>(...kinds: K[]) => fc.constantFrom(...kinds)
const nth = fc.nat({ max: 20 })
const cents = fc.integer({ min: -5_000, max: 5_000 }).filter((amount) => amount !== 0)

const faults: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({ kind: of('right', 'late', 'twice', 'never') }),
  fc.record({ kind: of('differs'), cents }),
  fc.record({
    kind: of('stray'),
    cents,
    type: fc.constantFrom('adjustment', 'reserve_hold', 'topup', 'stripe_fee', 'something_new'),
  }),
)
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: of('pay'),
      cents: fc.integer({ min: 100, max: 50_000 }),
      voided: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: of('told'), what: of('foreign dispute', 'dispute', 'refund by hand'), nth }),
  },
  { weight: 3, arbitrary: fc.record({ kind: of('settle'), faults: fc.array(faults, { maxLength: 6 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: of('wait'), days: fc.constantFrom(1, 16) }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: of('resolve'), nth, choice: fc.nat({ max: 3 }), transaction: nth }),
  },
)

const HOURS = 24
const RUNS = 6

/** An operator ignores a dispute of a refunded payment before the payout takes its amount. */
const ignoredBeforePayout: Step[] = [
  { kind: 'pay', cents: 100, voided: true },
  { kind: 'told', what: 'dispute', nth: 0 },
  { kind: 'resolve', nth: 0, choice: 2, transaction: 0 },
  { kind: 'settle', faults: [{ kind: 'stray', cents: -4_450, type: 'stripe_fee' }] },
]

/** A shop whose gateway settles wrongly, and whose operator resolves exceptions in any allowed way. */
class Story {
  private readonly payments: string[] = []
  private late: Lines = []

  constructor(
    readonly shop: LiveShop,
    readonly account: string,
  ) {}

  async act(step: Step): Promise<void> {
    switch (step.kind) {
      case 'pay': {
        const payment = await this.shop.pay(this.account, step.cents / 100)
        if (step.voided) await this.shop.ok('PUT', `/transactions/${payment}`, { status: 'voided' })
        this.payments.push(payment)
        return
      }
      case 'told':
        return await this.tell(step.what, this.payments[step.nth % Math.max(1, this.payments.length)])
      case 'settle':
        return await this.settle(step.faults)
      case 'wait':
        return await this.shop.wait(step.days * HOURS)
      case 'resolve':
        return await this.resolve(step)
    }
  }

  private async tell(what: (Step & { kind: 'told' })['what'], payment: string | undefined): Promise<void> {
    const { shop } = this
    const { books } = shop.server
    if (what === 'foreign dispute') {
      const { id } = books.createMethod(new Map([['type', 'card']]))
      const { id: foreign } = books.createIntent(
        new Map([
          ['payment_method', id],
          ['allowed_payment_method_types[0]', 'card'],
          ['amount', '1234'],
        ]),
      )
      await shop.say('charge.dispute.created', books.dispute(foreign))
    } else if (what === 'dispute' && payment !== undefined) await shop.dispute(payment)
    else if (payment !== undefined) {
      const { gateway_id: intent } = await shop.ok(
        'GET',
        `/transactions/${payment}`,
        undefined,
        'fields=gateway_id',
      )
      const taken = books.intents.find(({ id, status }) => id === intent && status === 'succeeded')
      const given = books.refunds.filter(({ payment_intent: refunded }) => refunded === intent)
      if (!taken || taken.amount_received < given.reduce((sum, { amount }) => sum + amount, 50)) return
      const made = new Map([
        ['payment_intent', String(intent)],
        ['amount', '50'],
      ])
      await shop.say('refund.updated', books.createRefund(made))
    }
  }

  private async settle(faults: readonly Fault[]): Promise<void> {
    await this.shop.settle((lines, payout) => {
      const late = this.late.map((line) => ({ ...line, payout }))
      this.late = []
      const known = lines.flatMap((line, index) => this.changed(line, faults[index % faults.length]))
      const strays = faults.flatMap((fault) =>
        fault.kind === 'stray' ? [this.shop.payouts.stray(payout, fault.type, fault.cents)] : [],
      )
      return [...late, ...known, ...strays]
    })
  }

  private changed(line: Line, fault: Fault | undefined): Lines {
    switch (fault?.kind) {
      case 'late':
        this.late.push(line)
        return []
      case 'never':
        return []
      case 'twice':
        // The line is reported again under another id, as by a gateway that pays twice.
        return [line, { ...line, id: `${line.id}_again` }]
      case 'differs':
        return [{ ...line, amount: line.amount + fault.cents }]
      default:
        return [line]
    }
  }

  /** Resolves open exceptions, each with its last offered resolution, until none is open. */
  async decideAll(): Promise<void> {
    const { shop } = this
    for (let round = 0; round < 5; round++) {
      const open = await shop.list('/admin/exceptions', 'status=open&order_by=id&limit=1000')
      for (const found of open) {
        const fitting = Array.isArray(found.resolutions) ? found.resolutions : []
        const body = { resolution: String(fitting.at(-1)), reason: 'in the end' }
        await shop.send('POST', `/admin/exceptions/${idOf(found)}/resolve`, body)
      }
      await shop.wait(HOURS)
    }
    expect(await shop.list('/admin/exceptions', 'status=open')).to.deep.equal([])
  }

  private async resolve({ nth, choice, transaction }: Step & { kind: 'resolve' }): Promise<void> {
    const { shop, payments } = this
    const open = await shop.list('/admin/exceptions', 'status=open&order_by=id&limit=1000')
    const found = open[nth % Math.max(1, open.length)]
    if (!found) return
    const fitting = Array.isArray(found.resolutions) ? found.resolutions : []
    const resolution = String(fitting[choice % Math.max(1, fitting.length)] ?? 'ignore')
    const body: JsonObject = { resolution, reason: 'so decided' }
    if (resolution === 'link')
      body.transaction_id = payments[transaction % Math.max(1, payments.length)] ?? 'none'
    const { status } = await shop.send('POST', `/admin/exceptions/${idOf(found)}/resolve`, body)
    // A resolution that does not fit is refused.
    expect([200, 400, 409]).to.include(status)
  }
}

const minor = (amount: JsonObject[string] | undefined) => Math.round(Number(amount ?? 0) * 100)

describe('wrong settlements with any resolutions', () => {
  for (const payouts of ['gateway', 'none'] as const)
    onDatabases((open) => {
      it(`with payouts ${payouts}, leave balanced books that include every line`, async () => {
        const property = fc.asyncProperty(
          fc.array(steps, { maxLength: 30, size: 'max' }),
          async (sequence) => {
            const shop = await LiveShop.open(open)
            const story = new Story(shop, await shop.account(payouts))
            for (const step of sequence) await story.act(step)
            await shop.wait(HOURS)
            await expectKept(shop)
            await expectDeposits(shop, payouts)
            await story.decideAll()
            await expectKept(shop)
            await expectDeposits(shop, payouts)
            expect(await shop.books()).to.not.have.any.keys('suspense')
          },
        )
        await fc.assert(property, {
          numRuns: RUNS,
          seed: randomInt(2 ** 31),
          endOnFailure: true,
          examples: [[ignoredBeforePayout]],
        })
      })
    })

  async function expectKept(shop: LiveShop): Promise<void> {
    expect(await shop.findings()).to.deep.equal([])
    const books = await shop.books()
    expect(Object.values(books).reduce((sum, each) => sum + each, 0)).to.equal(0)
    const lines = (await shop.list('/admin/settlement_lines')).filter(({ status }) => status !== 'repeated')
    const sumOf = (some: readonly JsonObject[]) =>
      some.reduce((sum, { amount, fee }) => sum + minor(amount) - minor(fee), 0)
    // Each line is stored once, so the lines add up to the amount that the gateway has paid out.
    expect(sumOf(lines)).to.equal(shop.payouts.paidOut)
    const decided = await shop.list('/admin/exceptions', 'status=resolved&limit=1000')
    const costs = decided.filter(({ resolution }) => resolution === 'cost')
    const cost = costs.reduce((sum, { id, amount }) => {
      const explained = lines.find(({ exception_id: by }) => by === id)
      return sum + (explained && Number(explained.amount) > 0 ? minor(amount) : 0 - minor(amount))
    }, 0)
    const kept = lines.filter(({ kind }) => kind !== 'foreign')
    const fees = kept.reduce(
      (sum, { kind, amount, fee }) => sum + minor(fee) - (kind === 'fee' ? minor(amount) : 0),
      0,
    )
    expect(books.processor_cost ?? 0).to.equal(cost - fees)
    // Only lines without an explanation are in `suspense`.
    const unexplained = lines.filter(({ status }) => status === 'unmatched' || status === 'waiting')
    const suspended = unexplained.reduce((sum, { amount }) => sum + minor(amount), 0)
    expect(books.suspense ?? 0).to.equal(suspended)
    // A resolved line without a payment is no longer unexplained.
    const decidedIds = new Set(decided.map(({ gateway_id }) => gateway_id))
    const strays = unexplained.filter(({ gateway_id }) => gateway_id === null)
    expect(strays.filter(({ line_id }) => decidedIds.has(line_id ?? null))).to.deep.equal([])
    expect(await noted(shop)).to.deep.equal(
      unexplained.length === 0
        ? []
        : [`${unexplained.length} of settlements: ${moneyWithCurrency(suspended)}`],
    )
  }

  /** Expects payouts to equal deposits plus foreign lines, and each deposit to equal its ledger entries. */
  async function expectDeposits(shop: LiveShop, payouts: 'gateway' | 'none'): Promise<void> {
    if (payouts === 'none') return
    const all = 'fields=*,unexplained&type=deposit|reversal&limit=1000'
    const made = await shop.list('/transactions', all)
    for (const each of made) {
      const entries = await shop.list(`/transactions/${idOf(each)}/ledger`)
      const entered = entries.reduce((sum, { amount }) => sum + minor(amount), 0)
      const stated = moved(each) + minor(each.fee)
      expect(stated).to.equal(entered + minor(each.unexplained))
    }
    const lines = await shop.list('/admin/settlement_lines', 'kind=foreign&limit=1000')
    const outside = lines.reduce((sum, { amount, fee }) => sum + minor(amount) - minor(fee), 0)
    expect(made.reduce((sum, each) => sum + moved(each), 0) + outside).to.equal(shop.payouts.paidOut)
  }

  function moved({ type, amount }: JsonObject): number {
    return type === 'deposit' ? minor(amount) : 0 - minor(amount)
  }

  /** Returns number and amount of the unexplained settlement lines, as `GET /admin/status` shows them. */
  async function noted(shop: LiveShop): Promise<string[]> {
    const { lines } = await shop.ok('GET', '/admin/status')
    return listOf(lines)
      .map(objectOf)
      .filter(({ check }) => check === 'settlements')
      .map(({ found }) =>
        String(found).replace(
          /^nothing here explains (\d+) lines? (of settlements: .+) is in suspense$/,
          '$1 $2',
        ),
      )
  }
})
