import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, objectOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { bankAccount } from '../../support/examples.js'
import { LiveShop } from './live-shop.js'

describe('a settlement line without a transaction', () => {
  onDatabases((open) => {
    let shop: LiveShop
    let account: string
    beforeEach(async () => {
      shop = await LiveShop.open(open, () => 0)
      account = await shop.account('gateway')
    })

    const settleWith = async (...strays: readonly (readonly [type: string, cents: number])[]) => {
      await shop.settle((lines, payout) => [
        ...lines,
        ...strays.map(([type, cents]) => shop.payouts.stray(payout, type, cents)),
      ])
    }
    const open1 = async (): Promise<JsonObject> => {
      const [raised = {}, ...more] = await shop.list('/admin/exceptions', 'status=open')
      expect(more).to.deep.equal([])
      return raised
    }
    const decide = async (resolution: string, more: JsonObject = {}) => {
      const body = { resolution, reason: 'as the statement says', ...more }
      return await shop.ok('POST', `/admin/exceptions/${idOf(await open1())}/resolve`, body)
    }
    const deposits = async () =>
      (
        await shop.list(
          '/transactions',
          'type=deposit|reversal&order_by=id&fields=type,amount,fee,unexplained',
        )
      ).map(
        ({ type, amount, fee, unexplained }) => `${type} ${amount}, fee ${fee}, unexplained ${unexplained}`,
      )
    afterEach(async () => {
      expect(await shop.findings()).to.deep.equal([])
    })

    it('is unexplained in the deposit, and its exception describes each possible resolution', async () => {
      await shop.pay(account, 100)
      await settleWith(['adjustment', -1_500])
      expect(await deposits()).to.deep.equal(['deposit 85, fee 0, unexplained -15'])
      const raised = await open1()
      expect(raised).to.deep.include({
        amount: 15,
        processing_id: account,
        resolutions: ['cost', 'reserve', 'transfer', 'loss', 'ignore'],
      })
      expect(raised.happened).to.match(/^Taken by the gateway: 15\.00 as adjustment \(txn_/)
      expect(objectOf(raised.books)).to.have.all.keys('cost', 'reserve', 'transfer', 'loss', 'ignore')
      expect(objectOf(raised.books).cost).to.equal(
        '15.00 is booked from processor_cost to processor_clearing: the processor keeps it as its cost.',
      )
    })

    it('can be resolved as a cost of the processor, which becomes the fee of the deposit', async () => {
      await shop.pay(account, 100)
      await settleWith(['adjustment', -1_500])
      await decide('cost')
      expect(await deposits()).to.deep.equal(['deposit 85, fee 15, unexplained 0'])
      expect(await shop.books()).to.include({ processor_cost: -1_500 })
      expect(await shop.books()).to.not.have.any.keys('suspense', 'processor_clearing', 'cash')
    })

    it('can be held in reserve until the gateway releases it', async () => {
      await shop.pay(account, 100)
      await settleWith(['reserve_hold', -2_000])
      expect((await open1()).resolutions).to.deep.equal(['reserve', 'ignore'])
      await decide('reserve')
      expect(await shop.books()).to.include({ reserve: -2_000 })
      await settleWith(['reserve_release', 2_000])
      expect((await open1()).resolutions).to.deep.equal(['reserve_released', 'ignore'])
      await decide('reserve_released')
      expect(await deposits()).to.deep.equal([
        'deposit 80, fee 20, unexplained 0',
        'deposit 20, fee -20, unexplained 0',
      ])
      expect(await shop.books()).to.not.have.any.keys('reserve', 'suspense', 'processor_clearing', 'cash')
    })

    it('can be a transfer by the owner of the account, which is booked to outside', async () => {
      await shop.pay(account, 100)
      await settleWith(['topup', 3_000])
      await decide('transfer')
      expect(await shop.books()).to.include({ outside: 3_000 })
      expect(await shop.books()).to.not.have.any.keys('suspense', 'processor_clearing')
    })

    it('is booked once, even if it is resolved twice', async () => {
      await shop.pay(account, 100)
      await settleWith(['adjustment', -1_500])
      const path = `/admin/exceptions/${idOf(await open1())}/resolve`
      await decide('cost')
      const books = await shop.books()
      const again = await shop.send('POST', path, { resolution: 'cost', reason: 'again' })
      expect(again.status).to.equal(409)
      await shop.wait(7)
      expect(await shop.books()).to.deep.equal(books)
    })

    it('cannot be resolved in a way that does not fit it', async () => {
      await shop.pay(account, 100)
      await settleWith(['reserve_hold', -2_000])
      const path = `/admin/exceptions/${idOf(await open1())}/resolve`
      for (const resolution of ['cost', 'link', 'retry', 'partial', 'reserve_released'])
        expect((await shop.send('POST', path, { resolution, reason: 'so' })).status).to.equal(400)
    })

    it('does not result from a failed bank debit, whose payment and return cancel each other', async () => {
      const body = { type: 'payment', amount: 50, processing_id: account, payment_method: bankAccount() }
      const payment = idOf(await shop.ok('POST', '/transactions', body))
      const [intent] = shop.server.books.intents
      if (!intent) throw new Error('There is no payment')
      shop.server.books.settle(intent.id, 'insufficient_funds')
      await shop.say('payment_intent.payment_failed', intent)
      expect(await shop.read(payment)).to.include({ status: 'declined' })
      const source = { id: 'py_1', object: 'charge', payment_intent: intent.id, metadata: intent.metadata }
      await shop.settle((lines, payout) => [
        ...lines,
        shop.payouts.stray(payout, 'payment', 5_000, source),
        shop.payouts.stray(payout, 'payment_failure_refund', -5_000, source),
        { ...shop.payouts.stray(payout, 'stripe_fee', -400), id: 'txn_fee' },
      ])
      expect(await shop.list('/admin/exceptions')).to.deep.equal([])
      expect(
        (await shop.list('/admin/settlement_lines')).map(({ kind, status }) => `${kind} ${status}`),
      ).to.deep.equal(
        ['fee matched', 'return matched', 'payment matched'].toSorted((a, b) => a.length - b.length),
      )
      expect(await shop.books()).to.include({ processor_cost: -400 })
      expect(await shop.books()).to.not.have.any.keys('suspense', 'processor_clearing', 'cash')
    })

    it('does not result from a partial capture at the gateway that an operator has accepted', async () => {
      const payment = await shop.pay(account, 100, { status: 'authorized' })
      const [intent] = shop.server.books.intents
      if (!intent) throw new Error('There is no payment')
      shop.server.books.capture(intent.id, new Map([['amount_to_capture', '4000']]))
      await shop.say('payment_intent.succeeded', intent)
      const raised = await open1()
      expect(raised).to.deep.include({
        kind: 'amount_differs',
        amount: 40,
        resolutions: ['partial', 'ignore'],
      })
      await decide('partial')
      expect(await shop.read(payment)).to.include({ status: 'processed', amount: 40 })
      await shop.settle()
      expect(await shop.list('/admin/exceptions', 'status=open')).to.deep.equal([])
      expect(await shop.books()).to.not.have.any.keys('suspense', 'processor_clearing', 'cash')
    })
  })
})
