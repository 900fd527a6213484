import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { Business } from '../../support/business.js'
import { idOf, objectOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { bankAccount, card, makeCustomer, pay } from '../../support/examples.js'

/** Card numbers that approve; each test uses a new number. */
const NUMBERS = [
  '5555555555554444',
  '5200828282828210',
  '2223003122003222',
  '4012888888881881',
  '378282246310005',
  '371449635398431',
  '6011111111111117',
  '6011000990139424',
  '5105105105105100',
  '4000056655665556',
]

describe('the windows of risk rules and the duplicate check', () => {
  onDatabases((open) => {
    let business: Business
    let account: string
    let number: string
    let day = 0
    const numbers = [...NUMBERS]
    before(async () => {
      business = await Business.open(open)
    })
    beforeEach(async () => {
      number = numbers.pop() ?? ''
      day += 3
      at('12:00:00')
    })

    /** Sets the time on a day that no other test uses. */
    const at = (time: string, after = 0) => {
      const date = new Date(Date.UTC(2030, 0, day + after)).toISOString().slice(0, 10)
      business.at(`${date} ${time}`)
    }
    const watched = async () => {
      account = await business.account({ risk_check_enabled: true })
    }
    const attempt = async (amount: number, more: JsonObject = {}) => {
      const body = { type: 'payment', amount, processing_id: account, payment_method: card(number), ...more }
      const { status, body: answer } = await business.core.send('POST', '/transactions', body)
      return status === 200 ? answer : objectOf(answer.details)
    }
    const scoreOf = async (amount = 10, more: JsonObject = {}) => (await attempt(amount, more)).risk_score
    const times = async (count: number, more: JsonObject = {}) => {
      for (let n = 0; n < count; n++) await attempt(10, more)
    }

    it('include the same card within an hour, to the second', async () => {
      await watched()
      await times(5)
      at('13:00:00')
      expect(await scoreOf()).to.equal(0.3)
      at('13:00:01')
      expect(await scoreOf()).to.equal(0)
    })

    it('include the same card within a day, to the second', async () => {
      await watched()
      await times(20)
      at('12:00:00', 1)
      expect(await scoreOf()).to.equal(0.3)
      at('12:00:01', 1)
      expect(await scoreOf()).to.equal(0)
    })

    it('include payments of a card to any account, and refused payments', async () => {
      account = await business.account({ duplicate_window: 60 })
      await times(5)
      await watched()
      expect(await scoreOf()).to.equal(0.3)
    })

    it('exclude payouts to a card', async () => {
      await watched()
      const core = business.core
      for (let n = 0; n < 5; n++) {
        const body = { type: 'credit', amount: 10, processing_id: account, payment_method: card(number) }
        await core.ok('POST', '/transactions', body)
      }
      expect(await scoreOf()).to.equal(0)
    })

    it('include the same customer within a day, with any method', async () => {
      await watched()
      const customer_id = await makeCustomer(business.core, account)
      for (let n = 0; n < 20; n++) {
        const payment_method = bankAccount(String(1_000_000_000 + n))
        await attempt(10, { customer_id, payment_method })
      }
      at('12:00:00', 1)
      expect(await scoreOf(10, { customer_id })).to.equal(0.2)
      at('12:00:01', 1)
      expect(await scoreOf(10, { customer_id })).to.equal(0)
      expect(await scoreOf()).to.equal(0)
    })

    it('include the average of the last fifty payments of the account, if it has at least ten', async () => {
      await watched()
      const by = (n: number) => ({ payment_method: bankAccount(String(2_000_000_000 + n)) })
      for (let n = 0; n < 9; n++) await attempt(10, by(n))
      expect(await scoreOf(30, by(9))).to.equal(0)
      at('12:00:01')
      expect(await scoreOf(51, by(10))).to.equal(0.1)
      at('12:00:02')
      for (let n = 0; n < 49; n++) await attempt(1, by(11 + n))
      // The last fifty are 51 once and 1 49 times, 2 on average; the 30 before them do not count.
      expect(await scoreOf(5.99, by(60))).to.equal(0)
      at('12:00:03')
      expect(await scoreOf(3.27, by(61))).to.equal(0.1)
    })

    it('compare postal codes if both are known', async () => {
      await watched()
      const payment_method = { ...card(number), billing_address: { postal_code: '10001' } }
      const shipped = (postal_code: string) => ({ payment_method, shipping_details: { postal_code } })
      expect(await scoreOf(10, shipped('10001'))).to.equal(0)
      expect(await scoreOf(10, { shipping_details: { postal_code: '10001' } })).to.equal(0)
      expect(await scoreOf(10, shipped('94105'))).to.equal(0.2)
    })

    it('include the same payment within the window of the account, to the second', async () => {
      account = await business.account({ duplicate_window: 1 })
      await pay(business.core, account, 10, { payment_method: card(number) })
      at('12:00:01')
      expect(await attempt(10)).to.include({ status_code: 'duplicate_attempt', risk_score: 0, fee: 0 })
      at('12:00:02')
      expect(await attempt(10)).to.include({ status: 'processed' })
    })

    it('compare the requested amount of a payment that was captured in part', async () => {
      account = await business.account({ duplicate_window: 60 })
      const held = await attempt(10, { status: 'authorized' })
      await business.core.ok('POST', `/transactions/${idOf(held)}/capture`, { amount: 4 })
      expect(await attempt(4)).to.include({ status: 'processed' })
      expect(await attempt(10)).to.include({ status_code: 'duplicate_attempt' })
    })

    it('exclude payouts, and are off for a window of zero', async () => {
      account = await business.account({ duplicate_window: 60 })
      for (const type of ['credit', 'refund'])
        await business.core.ok('POST', '/transactions', {
          type,
          amount: 10,
          processing_id: account,
          payment_method: card(number),
        })
      expect(await attempt(10)).to.include({ status: 'processed' })
      expect(await attempt(10)).to.include({ status: 'declined' })
      account = await business.account({ duplicate_window: 0 })
      expect(await attempt(10)).to.include({ status: 'processed' })
      expect(await attempt(10)).to.include({ status: 'processed' })
    })
  })
})
