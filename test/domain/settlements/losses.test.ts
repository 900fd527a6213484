import { expect } from 'chai'
import { idOf, objectOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { LiveShop } from './live-shop.js'

/**
 * Ways in which a payer’s bank, or a person at the gateway, takes money. Each opens a reconciliation
 * exception, and adds a line to the next settlement.
 */
const TAKEN: Readonly<Record<string, (shop: LiveShop, account: string) => Promise<void>>> = {
  'a dispute of an unknown payment': async (shop) => {
    const { id } = shop.server.books.createMethod(new Map([['type', 'card']]))
    const { id: foreign } = shop.server.books.createIntent(
      new Map([
        ['payment_method', id],
        ['allowed_payment_method_types[0]', 'card'],
        ['amount', '1234'],
        ['metadata[reference]', 'txn_ForgottenByARestore00'],
      ]),
    )
    // Removes the charge itself from the settlements that are read.
    shop.payouts.payOut(shop.time.now, () => [])
    await shop.say('charge.dispute.created', shop.server.books.dispute(foreign))
  },
  'a dispute of a payment that was voided': async (shop, account) => {
    const payment = await shop.pay(account, 12.34)
    await shop.ok('PUT', `/transactions/${payment}`, { status: 'voided' })
    await shop.dispute(payment)
  },
  'a refund made by hand at the gateway': async (shop, account) => {
    const payment = await shop.pay(account, 20)
    const intent = String(
      (await shop.ok('GET', `/transactions/${payment}`, undefined, 'fields=gateway_id')).gateway_id,
    )
    const refund = shop.server.books.createRefund(
      new Map([
        ['payment_intent', intent],
        ['amount', '500'],
      ]),
    )
    await shop.say('refund.updated', refund)
  },
}

const BEFORE = 'before it is settled'
const AFTER = 'after it was settled'
const CASES = [
  ['gateway', BEFORE],
  ['gateway', AFTER],
  ['none', BEFORE],
  ['none', AFTER],
] as const

const settleAndLose = async (shop: LiveShop) => {
  await shop.settle()
  return await lose(shop)
}
const loseAndSettle = async (shop: LiveShop) => {
  const amount = await lose(shop)
  await shop.settle()
  return amount
}

/** Resolves the one open exception, even if several notices reported it; returns its amount. */
async function lose(shop: LiveShop) {
  const raised = await shop.list('/admin/exceptions', 'status=open')
  expect(raised).to.have.length(1)
  const [first = {}] = raised
  await shop.ok('POST', `/admin/exceptions/${idOf(first)}/resolve`, {
    resolution: 'loss',
    reason: 'nobody pays it',
  })
  return first.amount
}

type Lines = Parameters<NonNullable<Parameters<LiveShop['payouts']['payOut']>[1]>>[0]

const DAY = 86_400_000
const RESOLVED = { status: 'resolved', resolution: 'link' }

/** Returns the findings about settlements in `GET /admin/status`. */
async function noted(shop: LiveShop) {
  const { lines } = await shop.ok('GET', '/admin/status')
  return Array.isArray(lines)
    ? lines
        .map(objectOf)
        .filter(({ check }) => check === 'settlements')
        .map(({ found }) => found)
    : []
}

describe('a loss', () => {
  onDatabases((open) => {
    for (const [what, take] of Object.entries(TAKEN))
      for (const [payouts, order] of CASES)
        it(`from ${what}, booked ${order} with payouts ${payouts}, leaves suspense empty`, async () => {
          const shop = await LiveShop.open(open, () => 0)
          const account = await shop.account(payouts)
          await take(shop, account)
          await shop.pay(account, 100)
          const amount = order === AFTER ? await settleAndLose(shop) : await loseAndSettle(shop)
          await shop.wait(7)
          expect(await shop.list('/admin/exceptions', 'status=open')).to.deep.equal([])
          const books = await shop.books()
          expect(books).to.not.have.any.keys('suspense', 'processor_clearing')
          expect(books.chargeback_loss).to.equal(-Math.round(Number(amount) * 100))
          if (payouts === 'none') expect(books.cash).to.equal(-shop.payouts.paidOut)
          expect(await shop.findings()).to.deep.equal([])
        })

    it('from an unexplained settlement line empties suspense; unexplained income cannot be a loss', async () => {
      const shop = await LiveShop.open(open, () => 0)
      await shop.account('none')
      await shop.settle((_, payout) => [
        shop.payouts.stray(payout, 'adjustment', -700),
        shop.payouts.stray(payout, 'adjustment', 300),
      ])
      expect(await shop.books()).to.deep.include({ suspense: -400 })
      expect(await noted(shop)).to.deep.equal([
        'nothing here explains 2 lines of settlements: -$4.00 is in suspense',
      ])
      const raised = await shop.list('/admin/exceptions', 'order_by=amount')
      expect(raised.map(({ amount, resolutions }) => ({ amount, resolutions }))).to.deep.equal([
        { amount: 3, resolutions: ['cost', 'reserve_released', 'transfer', 'ignore'] },
        { amount: 7, resolutions: ['cost', 'reserve', 'transfer', 'loss', 'ignore'] },
      ])
      await shop.ok('POST', `/admin/exceptions/${idOf(raised[1] ?? {})}/resolve`, {
        resolution: 'loss',
        reason: 'a correction of the gateway',
      })
      expect(await shop.books()).to.deep.equal({ suspense: 300, chargeback_loss: -700, cash: 400 })
      const [line] = await shop.list('/admin/settlement_lines', 'status=matched')
      expect(line).to.deep.include({ amount: -7, exception_id: raised[1]?.id })
      // An ignored settlement line is booked to `outside`, as money of others.
      await shop.ok('POST', `/admin/exceptions/${idOf(raised[0] ?? {})}/resolve`, {
        resolution: 'ignore',
        reason: 'not worth a call',
      })
      expect(await noted(shop)).to.deep.equal([])
      expect(await shop.books()).to.deep.equal({ outside: 300, chargeback_loss: -700, cash: 400 })
      expect(await shop.findings()).to.deep.equal([])
    })

    for (const decided of ['is open', 'was a loss'] as const)
      it(`from a missing settlement line is avoided or undone if the line comes later: an exception that ${decided}`, async () => {
        const shop = await LiveShop.open(open, () => 0)
        const account = await shop.account('gateway')
        const late = await shop.pay(account, 30)
        const kept: Lines = []
        await shop.settle((lines) => {
          kept.push(...lines)
          return []
        })
        shop.time.now += 20 * DAY
        await shop.pay(account, 40)
        await shop.settle()
        const [missing] = await shop.list('/admin/exceptions')
        expect(missing).to.include({ status: 'open', transaction_id: late, amount: 30 })
        if (decided === 'was a loss') {
          await lose(shop)
          expect(await shop.books()).to.include({ chargeback_loss: -3000 })
        }
        await shop.settle((_, payout) => kept.map((line) => ({ ...line, payout })))
        const [explained] = await shop.list('/admin/exceptions')
        expect(explained).to.include({ ...RESOLVED, reason: 'It was settled later' })
        expect(await shop.books()).to.not.have.any.keys(
          'chargeback_loss',
          'processor_clearing',
          'suspense',
          'cash',
        )
        expect(await shop.findings()).to.deep.equal([])
      })

    it('is not needed for a refund by hand at the gateway, which is linked to its payment', async () => {
      const shop = await LiveShop.open(open, () => 0)
      const account = await shop.account('gateway')
      await TAKEN['a refund made by hand at the gateway']?.(shop, account)
      const [{ id, resolutions, transaction_id, explanation } = {}] = await shop.list('/admin/exceptions')
      expect(resolutions).to.deep.equal(['link', 'loss', 'ignore'])
      expect(explanation).to.equal('The gateway has given back 5.00 of a payment that is processed here')
      const link = { resolution: 'link', reason: 'asked for by phone' }
      const other = await shop.pay(account, 3)
      const resolve = (transaction: unknown) =>
        shop.send('POST', `/admin/exceptions/${id}/resolve`, { ...link, transaction_id: String(transaction) })
      expect((await resolve(other)).body).to.deep.include({
        details: { amount: 'Exceeds refundable balance of 3.00' },
      })
      expect((await resolve(transaction_id)).body).to.include({ status: 'resolved' })
      const [refund] = await shop.list('/transactions', 'type=refund')
      expect(refund).to.include({ status: 'processed', amount: 5 })
      await shop.settle()
      await shop.wait(7)
      expect(await shop.list('/admin/exceptions', 'status=open')).to.deep.equal([])
      expect(await shop.books()).to.not.have.any.keys(
        'suspense',
        'processor_clearing',
        'chargeback_loss',
        'cash',
      )
      expect(await shop.findings()).to.deep.equal([])
    })

    it('that was changed outside of payctl is found by verify', async () => {
      const shop = await LiveShop.open(open, () => 0)
      await shop.account('none')
      await shop.settle((_, payout) => [shop.payouts.stray(payout, 'adjustment', -700)])
      const [raised = {}] = await shop.list('/admin/exceptions')
      await shop.ok('POST', `/admin/exceptions/${idOf(raised)}/resolve`, { resolution: 'loss', reason: 'so' })
      const { core } = await shop.core.app.environment('live')
      await core.write(({ tx }) =>
        tx.any.updateTable('admin_settlement_lines').set({ exception_id: null }).execute(),
      )
      expect(JSON.stringify(await shop.findings())).to.include('names no transaction')
    })
  })
})
