import { expect } from 'chai'
import type { MoneyTakenBack } from '../../../src/gateways/contract.js'
import { remoteSimulator } from '../../../src/gateways/simulator/remote-simulator.js'
import { resources } from '../../../src/resources/resource-table.js'
import { Business } from '../../support/business.js'
import { idOf, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { bankAccount, pay } from '../../support/examples.js'
import { booksOf, eventsOf } from '../payments/books.js'

describe('disputes and returns', () => {
  onDatabases((open) => {
    let business: Business
    let core: TestCore
    let processing: string
    before(async () => {
      business = await Business.open(open)
      core = business.core
    })
    beforeEach(async () => {
      processing = await business.account()
    })
    afterEach(async () => {
      expect(await business.audit()).to.deep.equal([])
    })

    const refused = async (event: string, payment: string, more: object = {}) => {
      const body = { event, transaction_id: payment, ...more }
      const { status, body: answer } = await core.send('POST', '/admin/simulate', body)
      expect(status).to.equal(400)
      return answer.details
    }

    /** Amounts of the exceptions about a payment, in ascending order. */
    const exceptionsOf = async (payment: string): Promise<number[]> => {
      const listed = await core.ok('GET', '/admin/exceptions', undefined, {
        query: `transaction_id=${payment}`,
      })
      return valuesOf(listed)
        .map(({ amount }) => Number(amount))
        .sort((a, b) => a - b)
    }

    it('charge a payment back before it is deposited', async () => {
      const payment = idOf(await pay(core, processing, 29.99))
      const answer = await business.simulate('chargeback', payment)
      expect(answer).to.include({
        transaction_id: payment,
        status: 'rejected',
        status_code: 'chargeback',
        funding_status: 'reversed',
        type: 'chargeback',
        amount: 29.99,
        fee: 15,
      })
      expect(await business.ledger(payment)).to.deep.equal(['chargeback -29.99'])
      expect(await business.ledger(String(answer.recorded_id))).to.deep.equal(['payment 29.99'])
      expect(await eventsOf(core, payment)).to.deep.equal([
        'payment processed',
        'processed processed',
        'reject rejected',
      ])
      expect(await booksOf(core, processing)).to.deep.equal({ merchant_payable: -1617, fee_income: 1617 })
    })

    it('charge a payment back in parts, and reject it when no balance is left', async () => {
      const payment = idOf(await pay(core, processing, 30))
      await business.simulate('chargeback', payment, { amount: 10 })
      expect(await business.read(payment)).to.include({ status: 'processed', funding_status: 'pending' })
      await business.refund(payment, 12.5)
      expect(await business.simulate('chargeback', payment, { amount: 7.5 })).to.include({
        amount: 7.5,
        status: 'rejected',
      })
      const voided = await core.send('PUT', `/transactions/${payment}`, { status: 'voided' })
      expect(voided.body.details).to.deep.equal({ status: 'Cannot change from rejected to voided' })
    })

    it('take the whole amount by default, even after a refund, and the excess is a loss', async () => {
      const account = await business.account({ credit_conv_fee_alloc: 50, chargeback_fee: 0 })
      const payment = idOf(await pay(core, account, 100))
      const { conv_fee: fee } = await core.ok('GET', `/transactions/${payment}`, undefined, {
        query: 'fields=conv_fee',
      })
      await business.refund(payment, 40)
      const whole = 100 + Number(fee)
      expect(await business.simulate('chargeback', payment)).to.include({ status: 'rejected', amount: 100 })
      expect(await exceptionsOf(payment)).to.deep.equal([40])
      expect(await business.simulate('chargeback', payment)).to.include({ amount: whole })
      expect(await exceptionsOf(payment)).to.deep.equal([40, whole])
      const { chargeback_loss: loss } = await booksOf(core, account)
      expect(loss).to.equal(0 - Math.round((40 + whole) * 100))
      expect(await business.audit()).to.deep.equal([])
    })

    it('can be won even if the payment had no balance', async () => {
      const payment = idOf(await pay(core, processing, 10))
      await business.refund(payment, 10)
      expect(await business.simulate('chargeback', payment)).to.include({ amount: 10, status: 'processed' })
      expect(await business.simulate('dispute_won', payment)).to.include({ type: 'chargeback_reversal' })
      expect(await business.audit()).to.deep.equal([])
    })

    it('share the balance exactly with refunds that arrive at the same time', async () => {
      const payment = idOf(await pay(core, processing, 50))
      const refund = { type: 'refund', amount: 1.5, ledger: [{ assoc_transaction_id: payment }] }
      const chargeback = { event: 'chargeback', transaction_id: payment, amount: 1.5 }
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, n) =>
          n % 2 === 0
            ? core.send('POST', '/transactions', refund)
            : core.send('POST', '/admin/simulate', chargeback),
        ),
      )
      const done = (parity: number) => answers.filter(({ status }, n) => n % 2 === parity && status === 200)
      expect(done(1)).to.have.length(30)
      const beyond = (await exceptionsOf(payment)).reduce((sum, amount) => sum + amount, 0)
      expect(done(0).length * 1.5 + done(1).length * 1.5 - beyond).to.equal(50)
    })

    it('cost the same if fees are billed monthly', async () => {
      const billed = await business.account({ billing_preference: 'billed_monthly' })
      const payment = idOf(await pay(core, billed, 29.99))
      expect(await business.simulate('chargeback', payment)).to.include({ amount: 29.99, fee: 15 })
    })

    it('take back a deposited payment, and deposit it again when they are won', async () => {
      const payment = idOf(await pay(core, processing, 29.99))
      business.at('2030-01-16 12:00:00')
      await business.run()
      await business.simulate('chargeback', payment)
      expect(await business.ledger(payment)).to.deep.equal([
        'deposit -29.99',
        'chargeback -29.99',
        'reversal 29.99',
      ])
      business.at('2030-01-17 12:00:00')
      expect(await business.deposits(business.run())).to.deep.equal(['2030-01-16 reversal 15 fee 15 of 0'])
      expect(await business.simulate('dispute_won', payment)).to.include({
        status: 'processed',
        status_code: 'approved',
        funding_status: 'batched',
        type: 'chargeback_reversal',
        amount: 29.99,
        fee: 0,
      })
      const [won] = await business.all(processing, 'chargeback_reversal')
      const test = core.environment.core
      expect(await test.read((work) => work.find(resources.transaction, String(won?.id)))).to.include({
        amount: 2999,
        excess: null,
        disputed_id: null,
      })
      expect(await business.deposits(business.run())).to.deep.equal([])
      business.at('2030-01-18 12:00:00')
      expect(await business.deposits(business.run())).to.deep.equal(['2030-01-17 deposit 29.99 fee 0 of 1'])
      expect((await business.ledger(payment)).slice(3)).to.deep.equal([
        'chargeback_reversal 29.99',
        'deposit -29.99',
      ])
      expect(await booksOf(core, processing)).to.deep.equal({ cash: -1617, fee_income: 1617 })
      expect((await eventsOf(core, payment)).slice(2)).to.deep.equal([
        'reject rejected',
        'processed processed',
      ])
      expect(await refused('dispute_won', payment)).to.deep.equal({
        transaction_id: 'Has no chargeback that is not won back',
      })
    })

    it('belong to one payment, and their id is refused for any other payment', async () => {
      const mine = idOf(await pay(core, processing, 29.99))
      const other = idOf(await pay(core, processing, 5))
      const add = async (event: string, payment: string, dispute: string) => {
        const body = { event, transaction_id: payment, dispute }
        return await core.send('POST', '/admin/disputes', body)
      }
      expect((await add('chargeback', mine, 'dp_1')).status).to.equal(200)
      expect((await add('chargeback', other, 'dp_2')).status).to.equal(200)
      for (const event of ['chargeback', 'dispute_won'])
        expect((await add(event, other, 'dp_1')).body.details, event).to.deep.equal({
          dispute: 'Is that of another payment',
        })
      const won = [await add('dispute_won', mine, 'dp_1'), await add('dispute_won', mine, 'dp_1')]
      expect(won.map(({ status }) => status)).to.deep.equal([200, 200])
      expect((await add('dispute_won', other, 'dp_1')).status).to.equal(400)
      expect(await business.read(mine)).to.include({ status: 'processed' })
      expect(await business.read(other)).to.include({ status: 'rejected' })
    })

    it('take back the convenience fee, and return it when they are won', async () => {
      const account = await business.account({ credit_conv_fee_alloc: 50, chargeback_fee: 0 })
      const payment = idOf(await pay(core, account, 29.99))
      const before = await booksOf(core, account)
      await business.simulate('chargeback', payment)
      expect(await booksOf(core, account)).to.deep.equal({
        processor_clearing: -59,
        merchant_payable: -58,
        fee_income: 58,
        cash: 59,
      })
      await business.simulate('dispute_won', payment)
      expect(await booksOf(core, account)).to.deep.equal(before)
    })

    it('leave valid books if a reversal deducts only their fee', async () => {
      const account = await business.account({ credit_conv_fee_alloc: 50, chargeback_fee: 15 })
      await business.simulate('chargeback', idOf(await pay(core, account, 29.99)))
      business.at('2030-01-19 12:00:00')
      await business.run()
      expect(await business.all(account, 'reversal')).to.have.length(1)
      expect(await core.ok('GET', '/admin/verify')).to.include({ found: 0 })
    })

    it('include returns by the bank, which have a code, cost no fee, and are final', async () => {
      const payment = idOf(await pay(core, processing, 10, { payment_method: bankAccount() }))
      expect(await business.simulate('return', payment, { code: 'R08' })).to.include({
        status: 'rejected',
        status_code: 'R08',
        amount: 10,
        fee: 0,
      })
      expect(await business.read(payment)).to.include({
        status_message: 'Returned by the bank: the customer stopped the payment',
      })
      expect(await refused('dispute_won', payment)).to.deep.equal({
        transaction_id: 'A bank return (R08) is final',
      })
    })

    it('are refused for unfit payments and attributes, and in live', async () => {
      const payment = idOf(await pay(core, processing, 10))
      expect(await refused('return', payment)).to.deep.equal({
        transaction_id: 'Only a payment from a bank account is returned',
      })
      expect(Object.keys((await refused('return', payment, { code: 'R99' })) ?? {})).to.deep.equal(['code'])
      expect(await refused('chargeback', payment, { code: 'R01' })).to.deep.equal({
        code: 'Belongs to a return',
      })
      expect(await refused('dispute_won', payment, { amount: 1 })).to.deep.equal({
        amount: 'A dispute is won as a whole',
      })
      expect(await refused('chargeback', 'txn_nothing')).to.deep.equal({ transaction_id: 'Not found' })
      const { core: live } = await core.app.environment('live')
      const principal = { kind: 'operator', id: 'operator', manage: true } as const
      const body = { event: 'chargeback', transaction_id: payment }
      expect(
        (await live.handle({ method: 'POST', path: '/admin/simulate', body, principal })).status,
      ).to.equal(403)
    })

    describe('that the gateway reports', () => {
      const gateway = remoteSimulator()
      let remote: Business
      before(async () => {
        remote = await Business.open(open, { gateway })
      })
      const notice = (payment: string, more: Partial<MoneyTakenBack> = {}): MoneyTakenBack => ({
        kind: 'chargeback',
        dispute: `dp_${payment}`,
        payment,
        amount: 1000,
        statusCode: 'chargeback',
        ...more,
      })

      it('are recorded once, even if they are reported twice', async () => {
        const account = await remote.account()
        const payment = idOf(await pay(remote.core, account, 29.99))
        gateway.report(notice(payment))
        gateway.report({ ...notice(payment) })
        await remote.core.environment.reconcile(0)
        expect(await remote.ledger(payment)).to.deep.equal(['chargeback -10'])
        gateway.report(notice(payment, { kind: 'dispute_won' }))
        gateway.report(notice(payment, { kind: 'dispute_won' }))
        await remote.core.environment.reconcile(0)
        expect(await remote.ledger(payment)).to.deep.equal(['chargeback -10', 'chargeback_reversal 10'])
        expect(await remote.audit()).to.deep.equal([])
      })

      it('are recorded only when a pending operation on the payment has an outcome', async () => {
        const account = await remote.account()
        const payment = idOf(await pay(remote.core, account, 29.99))
        gateway.script('times_out_after')
        await remote.refund(payment, 10)
        gateway.report(notice(payment, { kind: 'return', statusCode: 'R01', amount: 1999 }))
        remote.at('2030-01-15 17:00:01')
        const reported: unknown[] = []
        const watching = await remote.another(open, { gateway, report: (error) => reported.push(error) })
        await (await watching.app.environment('test')).reconcile(60_000)
        expect(reported).to.have.length(1)
        await (await watching.app.environment('test')).reconcile(0)
        expect(await remote.read(payment)).to.include({ status: 'rejected', status_code: 'R01' })
        expect(await remote.audit()).to.deep.equal([])
      })
    })
  })
})
