import { expect } from 'chai'
import fc from 'fast-check'
import { isRising } from '../../../src/installation/checks/attention-checks.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, objectOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, makeCustomer, makeProcessing } from '../../support/examples.js'
import { payctl } from './payctl.js'

const BROKE = '4111 1111 1111 9904'

/** The status as JSON. */
async function statusOf({ place }: TestCore): Promise<{ attention: unknown; lines: JsonObject[] }> {
  const { stdout, exitCode } = await payctl(place, ['status', '--json'])
  expect(exitCode).to.equal(0)
  const { attention, lines } = objectOf(JSON.parse(stdout))
  return { attention, lines: Array.isArray(lines) ? lines.map(objectOf) : [] }
}

onDatabases((open) => {
  describe('payctl status', () => {
    it('is quiet if no item needs attention, and notes transfers to the bank', async () => {
      const core = await openCore(open)
      const quiet = await payctl(core.place, ['status'])
      expect(quiet.stdout).to.match(/^Nothing needs attention in test \([\d :-]+\)\.\n$/)
      const processing_id = await makeProcessing(core)
      await core.ok('PUT', '/admin/clock', { now: '2031-01-15 17:00:00' })
      await core.ok('POST', '/transactions', {
        type: 'payment',
        amount: 1234.5,
        processing_id,
        payment_method: card(),
      })
      // After the cut-off, and before the funding run an hour later.
      await core.ok('POST', '/admin/clock', { to: '2031-01-16 00:30:00' })
      const { attention, lines } = await statusOf(core)
      expect(attention).to.equal(0)
      expect(lines).to.have.length(1)
      expect(lines[0]).to.include({
        check: 'deposits',
        state: 'note',
        found: '$1,198.40 net is on its way to the bank: 1 payment of $1,234.50, less refunds and fees',
      })
    })

    it('lists the items that need attention, worst first, each with a command that runs', async () => {
      const core = await openCore(open)
      const processing_id = await makeProcessing(core)
      const customer_id = await makeCustomer(core, processing_id)
      const paid = await core.ok('POST', '/transactions', {
        type: 'payment',
        amount: 99.5,
        processing_id,
        payment_method: card(),
      })
      await core.ok('POST', '/admin/simulate', { event: 'chargeback', transaction_id: idOf(paid) })
      const declined = { type: 'payment', processing_id, payment_method: card(BROKE) }
      for (let amount = 1; amount <= 6; amount++)
        await core.send('POST', '/transactions', { ...declined, amount })
      await core.ok('POST', '/billing_schedules', { customer_id, processing_id, description: 'Club' })
      await core.ok('POST', '/webhooks', { trigger: 'payment', url: 'http://127.0.0.1:1/gone' })
      await core.ok('POST', '/transactions', {
        type: 'payment',
        amount: 12,
        processing_id,
        payment_method: card(),
      })
      await payctl(core.place, ['webhooks', 'deliver', '--once'])

      const { attention, lines } = await statusOf(core)
      expect(attention).to.equal(4)
      const found = Object.fromEntries(lines.map((line) => [String(line.check), String(line.found)]))
      expect(found.disputes).to.match(/^\$99\.50 in 1 dispute waits for an answer, the first by 20/)
      expect(found.declines).to.equal(
        '6 of 8 payments were declined within a day, 0 of 0 in the 14 days before',
      )
      expect(found['failing webhooks']).to.equal('http://127.0.0.1:1/gone gives no answer')
      expect(found['billing schedules']).to.equal('1 without recurring_frequency make no invoices')
      const shown = await payctl(core.place, ['status'])
      expect(shown.stdout).to.match(/^4 things need attention in test \(/)
      for (const { command } of lines) {
        expect(shown.stdout).to.contain(String(command))
        const words = String(command).split(' ')
        expect(words.shift()).to.equal('payctl')
        expect(await payctl(core.place, words), String(command)).to.include({ exitCode: 0 })
      }
    })

    it('shows a declined automatic payment until its invoice is paid', async () => {
      const core = await openCore(open)
      const processing_id = await makeProcessing(core)
      const customer_id = await makeCustomer(core, processing_id)
      const method = { ...card(BROKE), account_id: customer_id, default_payment_method: true }
      await core.ok('POST', '/payment_methods', method)
      await core.ok('POST', '/billing_schedules', {
        customer_id,
        processing_id,
        recurring_frequency: 'monthly',
        charges: [{ description: 'Club', amount: 49 }],
      })
      await core.ok('POST', '/admin/clock', { by: '36h' })
      const failed = async () =>
        (await statusOf(core)).lines.find(({ check }) => check === 'automatic payments')
      const line = await failed()
      expect(line).to.include({ state: 'warning' })
      expect(line?.found).to.match(
        /^\$49\.00 of an invoice is unpaid after a declined automatic payment \(insufficient_bal\)/,
      )
      const [, id = ''] = /^payctl invoices get (inv_\w+) /.exec(String(line?.command)) ?? []
      const paid = { payment_method: card(), amount: 49, allocations: [{ invoice_id: id, amount: 49 }] }
      await core.ok('POST', '/transactions', { type: 'payment', ...paid })
      expect(await failed()).to.equal(undefined)
    })

    it('notes an incomplete merchant, and warns after an attempt to pay it', async () => {
      const core = await openCore(open)
      const shop = await core.ok('POST', '/processing_accounts', { name: 'Bike Shop' })
      const line = async () =>
        (await statusOf(core)).lines.find(({ check }) => check === 'incomplete merchants')
      const command = `payctl processing-accounts complete ${idOf(shop)} --env test`
      expect(await line()).to.include({ state: 'note', command })
      const payment = { type: 'payment', amount: 5, processing_id: idOf(shop), payment_method: card() }
      expect((await core.send('POST', '/transactions', payment)).status).to.equal(400)
      expect(await line()).to.include({ state: 'warning', command })
      expect((await line())?.found).to.include('somebody tried to pay Bike Shop within a day')
    })

    it('exits with 8 with --fail if an item needs attention, and with 0 without', async () => {
      const core = await openCore(open)
      const run = async (...words: string[]) => (await payctl(core.place, ['status', ...words])).exitCode
      expect(await run('--fail')).to.equal(0)
      await core.ok('POST', '/processing_accounts', { name: 'Bike Shop' })
      expect(await run('--fail'), 'a note needs no attention').to.equal(0)
      await core.ok('PUT', '/admin/maintenance', { enabled: true })
      expect([await run(), await run('--fail')]).to.deep.equal([0, 8])
    })

    it('omits a dispute that was won', async () => {
      const core = await openCore(open)
      const processing_id = await makeProcessing(core)
      const transaction_id = idOf(
        await core.ok('POST', '/transactions', {
          type: 'payment',
          amount: 20,
          processing_id,
          payment_method: card(),
        }),
      )
      await core.ok('POST', '/admin/simulate', { event: 'chargeback', transaction_id })
      expect((await statusOf(core)).attention).to.equal(1)
      await core.ok('POST', '/admin/simulate', { event: 'dispute_won', transaction_id })
      expect((await statusOf(core)).attention).to.equal(0)
    })

    it('repeats the profile in the suggested commands', async () => {
      const { place } = await openCore(open)
      await payctl(place, ['maintenance', 'on'])
      const target =
        place.databaseUrl === undefined ? ['--home', place.home] : ['--database-url', place.databaseUrl]
      await payctl(place, ['profiles', 'add', 'desk', ...target])
      const { stdout } = await payctl(place, ['status', '--profile', 'desk'])
      expect(stdout).to.contain('payctl maintenance off --env test --profile desk')
    })
  })
})

describe('a rise of declines', () => {
  it('needs a minimum number of payments and more declines than usual', () => {
    expect(isRising({ all: 4, declined: 4 }, { all: 0, declined: 0 })).to.equal(false)
    expect(isRising({ all: 100, declined: 12 }, { all: 1_400, declined: 140 })).to.equal(false)
    expect(isRising({ all: 100, declined: 25 }, { all: 1_400, declined: 140 })).to.equal(true)
    expect(isRising({ all: 20, declined: 6 }, { all: 1_400, declined: 14 })).to.equal(true)
  })

  it('is still a rise when more of the same payments are declined', () => {
    const count = fc.nat(10_000)
    fc.assert(
      fc.property(count, count, count, count, (all, a, b, usual) => {
        const fewer = Math.min(a, b, all)
        const more = Math.min(Math.max(a, b), all)
        const before = { all: 10_000, declined: usual }
        return !isRising({ all, declined: fewer }, before) || isRising({ all, declined: more }, before)
      }),
    )
  })
})
