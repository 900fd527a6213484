import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { listOf, objectOf } from '../../support/core.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { payctl } from './payctl.js'

onDatabases((open) => {
  describe('payctl funding', () => {
    let place: Place
    before(async () => {
      place = await open.place()
    })

    const json = async (...words: string[]): Promise<JsonObject> => {
      const { exitCode, stdout, stderr } = await payctl(place, [...words, '--json'])
      expect({ exitCode, stderr }).to.deep.equal({ exitCode: 0, stderr: '' })
      return objectOf(JSON.parse(stdout))
    }
    const pay = async () =>
      String(
        (
          await json(
            'transactions',
            'pay',
            '--amount',
            '29.99',
            '--card',
            '4242424242424242',
            '--expiry',
            '12/79',
          )
        ).id,
      )
    const batches = ({ deposits }: JsonObject) =>
      listOf(deposits)
        .map(objectOf)
        .map(({ period, type, amount, fee }) => `${period} ${type} ${amount} fee ${fee}`)
    const ledger = async (id: string) => {
      const { values } = await json('transactions', 'ledger', id)
      return listOf(values)
        .map((value) => Number(objectOf(value).amount))
        .reverse()
    }

    it('pays out a day as planned, and deducts refunds', async () => {
      await json('clock', 'set', '2040-01-31 15:00')
      const payment = await pay()
      await json('clock', 'set', '2040-02-01 12:00')
      const planned = ['2040-01-31 deposit 28.82 fee 1.17']
      expect(batches(await json('funding', 'plan'))).to.deep.equal(planned)
      expect(batches(await json('funding', 'run', '--dry-run'))).to.deep.equal(planned)
      const run = await json('funding', 'run')
      expect(run).to.include({ finished: true, captured: 1, transactions: 1 })
      expect(batches(run)).to.deep.equal(planned)
      await json('transactions', 'refund', payment)
      expect(await ledger(payment)).to.deep.equal([-29.99, -29.99, 29.99])
      expect(await json('transactions', 'get', payment)).to.include({ funding_status: 'refunded' })
      expect(batches(await json('funding', 'run'))).to.deep.equal([])
    })

    it('shows a run in a readable form', async () => {
      await pay()
      await json('clock', 'set', '2040-02-02 12:00')
      const { exitCode, stdout } = await payctl(place, ['funding', 'run'])
      expect(exitCode).to.equal(0)
      expect(stdout)
        .to.match(/^finished +yes$/m)
        .and.match(/amount +28\.82$/m)
    })

    it('accepts only days that are over', async () => {
      const { exitCode, stdout, stderr } = await payctl(place, ['funding', 'run', '--date', '2040-02-02'])
      expect({ exitCode, stdout }).to.deep.equal({ exitCode: 3, stdout: '' })
      expect(stderr).to.equal('error: --date: Must be a day that is over: it ends at 2040-02-03 00:00:00\n')
    })

    it('moves money in live only with a confirmation', async () => {
      const { exitCode, stderr } = await payctl(place, ['funding', 'run', '--env', 'live'])
      expect(exitCode).to.equal(2)
      expect(stderr).to.contain('add --confirm live')
      const { stdout } = await payctl(place, [
        'funding',
        'run',
        '--env',
        'live',
        '--confirm',
        'live',
        '--json',
      ])
      expect(JSON.parse(stdout)).to.deep.include({ finished: true, deposits: [] })
    })

    it('records what banks report', async () => {
      const payment = await pay()
      expect(await json('simulate', 'chargeback', payment, '--amount', '10')).to.include({
        status: 'processed',
      })
      expect(await json('simulate', 'chargeback', payment, '--amount', '19.99')).to.include({
        status: 'rejected',
        amount: 19.99,
      })
      expect(await json('simulate', 'dispute-won', payment)).to.include({
        status: 'processed',
        amount: 19.99,
      })
      expect(await ledger(payment)).to.deep.equal([-10, -19.99, 19.99])
      const words = ['--bank-account', '1234567890', '--routing', '021000021', '--account-type', 'checking']
      const { id } = await json('transactions', 'pay', '--amount', '5', ...words)
      expect(await json('simulate', 'return', String(id), '--code', 'R03')).to.include({ status_code: 'R03' })
    })
  })
})
