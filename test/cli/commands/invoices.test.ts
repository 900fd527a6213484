import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { objectOf, valuesOf } from '../../support/core.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { payctl } from './payctl.js'

const SHOP = fileURLToPath(new URL('../../../docs/corner-shop.json', import.meta.url))
const CARD = ['--card', '4242424242424242', '--expiry', '12/39']

onDatabases((open) => {
  describe('payctl invoices', () => {
    let place: Place
    let customer: string
    before(async () => {
      place = await open.place()
      const made = await json('customers', 'create', '--name', 'Ada Park', '--email', 'ada@example.com')
      customer = String(made.id)
      const method = ['--type', 'card', '--card.card-number', '4242424242424242', '--card.expiry', '12/39']
      const owner = ['--account-id', customer, '--default-payment-method']
      await json('payment-methods', 'create', ...method, ...owner)
    })

    const run = (...words: readonly string[]) => payctl(place, words)
    const json = async (...words: readonly string[]): Promise<JsonObject> => {
      const { exitCode, stdout, stderr } = await run(...words, '--json')
      expect({ exitCode, stderr }).to.deep.equal({ exitCode: 0, stderr: '' })
      return objectOf(JSON.parse(stdout))
    }
    const bill = async (amount: string) => {
      const { id } = await json('invoices', 'create', '--customer-id', customer, '--description', 'March')
      const item = ['--invoice-id', String(id), '--entry-type', 'charge', '--description', 'Books']
      await json('line-items', 'create', ...item, '--amount', amount)
      return String(id)
    }
    const totalsOf = async (id: string) => {
      const { status, amount_due } = await json('invoices', 'get', id)
      return [status, amount_due]
    }

    it("charges the customer's card, for the amount due or a part", async () => {
      const id = await bill('30')
      expect(await json('invoices', 'pay', id, '--amount', '12.50')).to.include({
        type: 'payment',
        amount: 12.5,
      })
      expect(await totalsOf(id)).to.deep.equal(['partially_paid', 17.5])
      expect(await json('invoices', 'pay', id)).to.include({ amount: 17.5, customer_id: customer })
      expect(await totalsOf(id)).to.deep.equal(['paid', 0])
      expect(await run('invoices', 'pay', id)).to.deep.equal({
        exitCode: 2,
        stdout: '',
        stderr: `error: Nothing is due on ${id}\n`,
      })
    })

    it('accepts the number of an invoice as its id if the number is unique', async () => {
      const id = await bill('30')
      const { number, processing_id: shop } = await json('invoices', 'get', id)
      expect(await json('invoices', 'get', String(number))).to.include({ id })
      expect((await run('invoices', 'show', String(number))).stdout).to.match(
        new RegExp(`^Invoice +${number}$`, 'm'),
      )
      const paid = await json('invoices', 'pay', String(number), '--amount', '1')
      expect(paid).to.include({ amount: 1, processing_id: shop ?? null })
      expect((await json('invoices', 'list', '--where', `number=${number}`)).values).to.have.length(1)

      const other = String((await json('processing-accounts', 'create', '--data', SHOP)).id)
      const ids = [
        String((await json('invoices', 'create', '--customer-id', customer, '--processing-id', other)).id),
      ]
      const first = await json('invoices', 'list', '--where', 'number=*-000001', '--order-by', 'id')
      ids.unshift(
        ...valuesOf(first)
          .map((each) => String(each.id))
          .filter((each) => !ids.includes(each)),
      )
      const { exitCode, stderr } = await run('invoices', 'get', `INV-${String(number).split('-')[1]}-000001`)
      expect(exitCode).to.equal(2)
      for (const each of ids) expect(stderr).to.include(each)
    })

    it('charges another card, or only authorizes the payment', async () => {
      const id = await bill('30')
      expect(await json('invoices', 'pay', id, ...CARD, '--authorize')).to.include({ status: 'authorized' })
      expect(await totalsOf(id)).to.deep.equal(['pending', 30])
    })

    it('charges at most the amount due, and no money in a dry run or by a declined card', async () => {
      const id = await bill('30')
      expect(await run('invoices', 'pay', id, '--amount', '30.01')).to.include({
        exitCode: 3,
        stderr: 'error: --amount: Exceeds amount due of 30.00\n',
      })
      expect(await json('invoices', 'pay', id, '--dry-run')).to.include({ status: 'processed' })
      const declined = await run('invoices', 'pay', id, '--card', '4111111111119904', '--expiry', '12/39')
      expect(declined.exitCode).to.equal(7)
      expect(await totalsOf(id)).to.deep.equal(['pending', 30])
      expect(await run('invoices', 'pay', 'inv_1')).to.include({ exitCode: 5 })
    })

    it('are collected immediately, stopped and resumed', async () => {
      const id = await bill('30')
      expect(await json('invoices', 'collect', id, '--dry-run')).to.include({
        status: 'processed',
        amount: 30,
      })
      expect(await totalsOf(id)).to.deep.equal(['pending', 30])
      expect(await json('invoices', 'collect', id)).to.include({ object: 'transaction', amount: 30 })
      expect(await totalsOf(id)).to.deep.equal(['paid', 0])
      expect(await run('invoices', 'collect', id)).to.include({ exitCode: 3 })
      expect(await run('invoices', 'resume-collecting', id)).to.include({
        exitCode: 3,
        stderr: 'error: billing_schedule_id: No schedule made it: only those are collected by themselves\n',
      })
      expect(await json('invoices', 'stop-collecting', id)).to.include({ id })
    })

    it('of a backfill are collected only with --collect, and its dry run shows the total', async () => {
      const { processing_id: account } = await json('invoices', 'get', await bill('1'))
      const owner = ['--customer-id', customer, '--processing-id', String(account)]
      const dates = ['--recurring-frequency', 'annually', '--start-date', '2020-01-15']
      const { id } = await json('billing-schedules', 'create', ...owner, ...dates)
      await json('billing-charges', 'create', '--billing-schedule-id', String(id), '--amount', '10')
      const words = ['billing', 'backfill', '--billing-schedule-id', String(id), '--from', '2020-01-01']
      const quiet = await json(...words, '--dry-run')
      expect(quiet).to.include({ payment_count: 0, payment_amount: 0 })
      const { count, payment_count, payment_amount } = await json(...words, '--collect', '--dry-run')
      expect({ count, payment_count, payment_amount }).to.deep.equal({
        count: quiet.count,
        payment_count: quiet.count,
        payment_amount: Number(quiet.count) * 10,
      })
      await json(...words)
      expect(await json('billing', 'run')).to.include({ payment_count: 0 })
    })

    it('can be printed as a page', async () => {
      const id = await bill('30')
      await json('invoices', 'pay', id, '--amount', '12.50')
      const text = await run('invoices', 'show', id)
      expect(text).to.include({ exitCode: 0, stderr: '' })
      expect(text.stdout)
        .to.match(/^Default test account\n/)
        .and.match(/^Books +1 +30\.00 +30\.00$/m)
        .and.match(/^\d{4}-\d\d-\d\d {2}Payment, Visa ending in 4242 +-12\.50$/m)
        .and.match(/^Amount due \(USD\) +17\.50$/m)
      const page = await run('invoices', 'show', id, '--html')
      expect(page.stdout)
        .to.match(/^<!doctype html>/)
        .and.include('Visa ending in 4242')
      expect(await json('invoices', 'show', id)).to.include({ object: 'invoice', id })
      expect(await run('invoices', 'show', 'inv_1')).to.include({ exitCode: 5, stdout: '' })
    })
  })
})
