import { randomInt } from 'node:crypto'
import { expect } from 'chai'
import fc from 'fast-check'
import type { JsonObject } from '../../../src/schema/json.js'
import type { Method } from '../../../src/schema/resource.js'
import { audit } from '../../support/audit/audit.js'
import { readKept } from '../../support/audit/kept.js'
import { idOf, listOf, objectOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { bill, openShop, type Shop } from './invoices.js'

/**
 * Possible actions on two invoices and their payments. `nth` selects an item or a payment, `which` an
 * invoice.
 */
type Action =
  | { readonly kind: 'charge' | 'cash'; readonly which: number; readonly cents: number }
  | {
      readonly kind: 'pay'
      readonly cents: number
      readonly shares: readonly number[]
      readonly hold: boolean
    }
  | { readonly kind: 'allocate'; readonly nth: number; readonly which: number; readonly cents: number }
  | { readonly kind: 'refund'; readonly nth: number; readonly cents: number }
  | { readonly kind: 'void' | 'capture'; readonly nth: number }
  | {
      readonly kind: 'reprice' | 'move' | 'drop'
      readonly which: number
      readonly nth: number
      readonly cents: number
    }
  | { readonly kind: 'replace'; readonly which: number; readonly cents: number }

const which = fc.integer({ min: 0, max: 1 })
const nth = fc.nat({ max: 9 })
const cents = fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 5000 }))

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ kind: fc.constantFrom('charge' as const, 'cash' as const), which, cents }),
  fc.record({
    kind: fc.constant('pay' as const),
    cents,
    shares: fc.array(cents, { maxLength: 2 }),
    hold: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('allocate' as const), nth, which, cents }),
  fc.record({ kind: fc.constant('refund' as const), nth, cents }),
  fc.record({ kind: fc.constantFrom('void' as const, 'capture' as const), nth }),
  fc.record({
    kind: fc.constantFrom('reprice' as const, 'move' as const, 'drop' as const),
    which,
    nth,
    cents,
  }),
  fc.record({ kind: fc.constant('replace' as const), which, cents }),
)

interface Played {
  readonly shop: Shop
  readonly invoices: readonly JsonObject[]
  readonly payments: JsonObject[]
}

describe('any sequence of charges, payments, refunds and voids', () => {
  onDatabases((open) => {
    let core: TestCore
    before(async () => {
      core = await openCore(open)
    })

    it('keeps the totals of invoices equal to their items, and overpays none', async () => {
      const played = fc.asyncProperty(fc.array(action, { maxLength: 25, size: 'max' }), async (actions) => {
        const shop = await openShop(core)
        const stage = { shop, invoices: [await bill(shop, [20]), await bill(shop, [30])], payments: [] }
        for (const asked of actions) await play(core, stage, asked)
        for (const invoice of stage.invoices) await expectSums(core, invoice)
      })
      await fc.assert(played, { numRuns: 40, seed: randomInt(2 ** 31) })
      const handle = core.environment.core
      expect(audit(await handle.write(({ tx }) => readKept(tx)))).to.deep.equal([])
    })

    it('keeps the totals of invoices equal to their items under simultaneous requests, too', async () => {
      const shop = await openShop(core)
      const invoices = [await bill(shop, [20]), await bill(shop, [30])]
      const stage: Played = { shop, invoices, payments: [] }
      for (const hold of [false, true]) await play(core, stage, { kind: 'pay', cents: 900, shares: [], hold })
      const actions = fc.sample(action, { numRuns: 60, seed: randomInt(2 ** 31) })
      await Promise.all(actions.map((asked) => play(core, stage, asked)))
      for (const invoice of invoices) await expectSums(core, invoice)
      const handle = core.environment.core
      expect(audit(await handle.write(({ tx }) => readKept(tx)))).to.deep.equal([])
    })
  })
})

/** Sends the request for an action; it must succeed or be refused. */
async function play(core: TestCore, stage: Played, asked: Action): Promise<void> {
  const request = await requestOf(core, stage, asked)
  if (!request) return
  const { status, body } = await core.send(...request)
  // An object that another request has just deleted is not found.
  expect([200, 400, 404, 409], JSON.stringify(body)).to.include(status)
  if (asked.kind === 'pay' && status === 200) stage.payments.push(body)
}

type Request = readonly [method: Method, path: string, body?: JsonObject]

async function requestOf(core: TestCore, stage: Played, asked: Action): Promise<Request | undefined> {
  const { shop, invoices, payments } = stage
  const payment = 'nth' in asked ? payments[asked.nth % payments.length] : undefined
  const invoice = 'which' in asked ? idOf(invoices[asked.which] ?? {}) : ''
  const amount = 'cents' in asked ? asked.cents / 100 : 0
  switch (asked.kind) {
    case 'charge':
    case 'cash': {
      const entry_type = asked.kind === 'charge' ? 'charge' : 'payment'
      return ['POST', `/invoices/${invoice}/items`, { entry_type, amount }]
    }
    case 'pay': {
      const shares = asked.shares.map((share, n) => ({
        invoice_id: idOf(invoices[n] ?? {}),
        amount: share / 100,
      }))
      const allocations =
        asked.cents % 2 === 0 ? shares : invoices.map((one) => ({ invoice_id: idOf(one) })).slice(0, 1)
      const status: JsonObject = asked.hold ? { status: 'authorized' } : {}
      return [
        'POST',
        '/transactions',
        { type: 'payment', amount, customer_id: shop.customer, allocations, ...status },
      ]
    }
    case 'allocate':
      return payment && ['POST', `/transactions/${payment.id}/allocations`, { invoice_id: invoice, amount }]
    case 'refund': {
      const ledger = [{ assoc_transaction_id: payment?.id ?? null }]
      return payment && ['POST', '/transactions', { type: 'refund', amount, ledger }]
    }
    case 'void':
    case 'capture':
      return payment && ['PUT', `/transactions/${payment.id}`, { status: STATUS[asked.kind] }]
    default:
      return await changeOf(core, stage, { ...asked, invoice, amount })
  }
}

const STATUS = { void: 'voided', capture: 'processed' } as const

interface Change {
  readonly kind: 'reprice' | 'move' | 'drop' | 'replace'
  readonly which: number
  readonly nth?: number
  readonly invoice: string
  readonly amount: number
}

async function changeOf(core: TestCore, { invoices }: Played, asked: Change): Promise<Request | undefined> {
  const { kind, invoice, amount } = asked
  const items = listOf((await core.ok('GET', `/invoices/${invoice}`)).items).map(objectOf)
  if (kind === 'replace') {
    const kept = items.filter(({ entry_type: type }) => type === 'payment').map(({ id = null }) => ({ id }))
    return ['PUT', `/invoices/${invoice}`, { items: [...kept, { entry_type: 'charge', amount }] }]
  }
  const item = items[(asked.nth ?? 0) % items.length]
  if (!item) return undefined
  const path = `/line_items/${item.id}`
  if (kind === 'drop') return ['DELETE', path]
  return ['PUT', path, kind === 'move' ? { invoice_id: idOf(invoices[1 - asked.which] ?? {}) } : { amount }]
}

/** Expects the totals of an invoice to be the sums of its items. */
async function expectSums(core: TestCore, invoice: JsonObject): Promise<void> {
  const shown = await core.ok('GET', `/invoices/${invoice.id}`)
  const sum = (type: string) =>
    listOf(shown.items)
      .map(objectOf)
      .filter(({ entry_type }) => entry_type === type)
      .reduce((total, item) => total + Math.round(Number(item.total) * 100), 0)
  const due = sum('charge')
  const paid = 0 - sum('payment')
  expect(shown).to.include({ total_due: due / 100, total_paid: paid / 100, amount_due: (due - paid) / 100 })
  expect(due).to.be.at.least(0)
  expect(paid).to.be.within(0, due)
}
