import { expect } from 'chai'
import type { JsonObject } from '../../src/schema/json.js'
import { payctl } from '../cli/commands/payctl.js'
import { listOf, objectOf } from '../support/core.js'
import { onDatabases, type Place } from '../support/databases.js'

const CARD = ['--card', '4242424242424242', '--expiry', '12/39']

/**
 * Tests the example in money.md: 29.99 is paid, deposited, refunded the next day, and taken back from the
 * merchant's bank.
 */
describe('the worked example, at the terminal', () => {
  onDatabases('story', (open) => {
    let place: Place
    before(async () => {
      place = await open.migrated()
    })

    const json = async (...words: string[]): Promise<JsonObject> => {
      const { exitCode, stdout, stderr } = await payctl(place, [...words, '--json'])
      expect({ exitCode, stderr }, stdout).to.deep.equal({ exitCode: 0, stderr: '' })
      return objectOf(JSON.parse(stdout))
    }
    const amounts = async (id: string) =>
      listOf((await json('transactions', 'ledger', id)).values)
        .map((entry) => objectOf(entry))
        .map(({ entry_type: type, amount }) => `${type} ${amount}`)
        .sort()

    it('ends with a balance of zero, and explains every step', async () => {
      await json('clock', 'set', '2030-01-15 15:00:00')
      const payment = String((await json('transactions', 'pay', '--amount', '29.99', ...CARD)).id)
      const pending = await json('transactions', 'explain', payment)
      expect(pending.whereabouts).to.equal(
        'It waits for the end of its business day, at 2030-01-16 00:00:00 UTC; the deposit after that pays it.',
      )

      await json('clock', 'set', '2030-01-16 00:30:00')
      const plan = await json('api', 'GET', '/admin/funding/plan?date=2030-01-15')
      const [planned] = listOf(plan.deposits).map(objectOf)
      expect(planned).to.include({ period: '2030-01-15', type: 'deposit', amount: 28.82, fee: 1.17 })
      await json('clock', 'advance', '1d')
      const [deposit] = listOf((await json('transactions', 'list', '--where', 'type=deposit')).values).map(
        objectOf,
      )
      expect(deposit).to.include({ amount: 28.82, fee: 1.17, status: 'processed' })
      expect(await amounts(payment)).to.deep.equal(['deposit -29.99'])
      expect((await json('transactions', 'explain', payment)).whereabouts).to.equal(
        'It was paid with the deposit of 2030-01-15, on 2030-01-15.',
      )

      await json('transactions', 'refund', payment)
      expect(await amounts(payment)).to.deep.equal(['deposit -29.99', 'refund -29.99', 'reversal 29.99'])
      const { amount, ledger } = await json('transactions', 'get', payment, '--fields', '*,ledger')
      const entered = listOf(ledger).map((entry) => Number(objectOf(entry).amount))
      expect(Math.round((Number(amount) + entered.reduce((sum, one) => sum + one, 0)) * 100)).to.equal(0)

      const told = listOf((await json('transactions', 'explain', payment)).steps).map(objectOf)
      expect(
        told.map(({ kind, what, amount: moved }) => `${kind} ${what} ${moved ?? ''}`.trim()),
      ).to.deep.equal([
        'event payment: processed',
        'event processed',
        'journal processor_clearing → merchant_payable 29.99',
        'journal merchant_payable → fee_income 1.17',
        'ledger deposit -29.99',
        'ledger refund -29.99',
        'ledger reversal 29.99',
      ])
      expect(told[0]).to.include({ by: 'owner' })
      expect(await json('verify')).to.include({ found: 0 })
    })
  })
})
