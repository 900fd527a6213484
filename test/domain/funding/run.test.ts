import { expect } from 'chai'
import { Business } from '../../support/business.js'
import { idOf, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, pay } from '../../support/examples.js'
import { booksOf, eventsOf } from '../payments/books.js'

describe('a funding run', () => {
  onDatabases((open) => {
    let business: Business
    let core: TestCore
    beforeEach(async () => {
      business = await Business.open(open)
      core = business.core
    })
    afterEach(async () => {
      expect(await business.audit()).to.deep.equal([])
    })

    const payOut = (processing: string, amount: number, type: 'credit' | 'refund' = 'credit') =>
      core.ok('POST', '/transactions', { type, amount, processing_id: processing, payment_method: card() })

    it('pays captured amounts less fees, and deducts refunds', async () => {
      const processing = await business.account()
      const payment = idOf(await pay(core, processing, 29.99))
      business.at('2030-01-16 00:00:00')
      expect(await business.deposits(business.plan())).to.deep.equal([
        '2030-01-15 deposit 28.82 fee 1.17 of 1',
      ])
      expect(await business.run()).to.deep.include({ finished: true, captured: 1, transactions: 1 })
      expect(await business.read(payment)).to.include({ funding_status: 'batched', fee: 1.17 })
      const [deposit] = await business.all(processing, 'deposit')
      expect(deposit).to.include({
        amount: 28.82,
        fee: 1.17,
        status: 'processed',
        status_code: 'deposited',
        funding_status: null,
        // Midnight in UTC is the evening before in New York.
        processed_date: '2030-01-15',
      })
      expect(await eventsOf(core, idOf(deposit ?? {}))).to.deep.equal(['deposit processed'])
      expect(await business.ledger(idOf(deposit ?? {}))).to.deep.equal(['payment 29.99'])

      business.at('2030-01-16 12:00:00')
      await business.refund(payment, 29.99)
      expect(await business.ledger(payment)).to.deep.equal([
        'deposit -29.99',
        'refund -29.99',
        'reversal 29.99',
      ])
      const [reversal] = await business.all(processing, 'reversal')
      expect(reversal).to.include({ amount: 29.99, fee: 0, status: 'processed', status_code: 'taken_back' })
      expect(await eventsOf(core, idOf(reversal ?? {}))).to.deep.equal(['reversal processed'])
      expect(await booksOf(core, processing)).to.deep.equal({ cash: -117, fee_income: 117 })
      expect(await business.read(payment)).to.include({ status: 'processed', funding_status: 'refunded' })

      business.at('2030-01-17 12:00:00')
      expect(await business.deposits(business.run())).to.deep.equal([])
    })

    it('dates its transactions by the test clock', async () => {
      const processing = await business.account()
      const payment = idOf(await pay(core, processing, 29.99))
      const now = '2030-01-20 12:00:00'
      await core.ok('PUT', '/admin/clock', { now })
      await business.run()
      const [deposit = {}] = await business.all(processing, 'deposit')
      for (const id of [payment, idOf(deposit)]) {
        const [entry] = valuesOf(await core.ok('GET', `/transactions/${id}/ledger`))
        expect(entry).to.include({ created_at: now, modified_at: now, timestamp: now })
      }
    })

    it('pays full amounts to accounts with monthly billing, and bills the month', async () => {
      const processing = await business.account({ billing_preference: 'billed_monthly', batch_fee: 0.25 })
      const payment = idOf(await pay(core, processing, 29.99))
      business.at('2030-01-16 12:00:00')
      expect(await business.deposits(business.run())).to.deep.equal(['2030-01-15 deposit 29.99 fee 0 of 1'])
      expect(await business.ledger(payment)).to.deep.equal(['deposit -29.99'])
      expect(await booksOf(core, processing)).to.deep.equal({
        fee_receivable: -142,
        fee_income: 142,
      })
      business.at('2030-02-01 12:00:00')
      expect(await business.deposits(business.plan())).to.deep.equal(['2030-01 reversal 1.42 fee 1.42 of 0'])
      expect(await business.deposits(business.run())).to.deep.equal(['2030-01 reversal 1.42 fee 1.42 of 0'])
      expect(await booksOf(core, processing)).to.deep.equal({ cash: -142, fee_income: 142 })
    })

    it('includes earlier refunds, and keeps the fees of fully refunded payments', async () => {
      const processing = await business.account()
      const partly = idOf(await pay(core, processing, 29.99))
      const wholly = idOf(await pay(core, processing, 10))
      await business.refund(partly, 9.99)
      await business.refund(wholly, 10)
      business.at('2030-01-16 12:00:00')
      expect(await business.deposits(business.plan())).to.deep.equal([
        '2030-01-15 deposit 18.24 fee 1.76 of 1',
      ])
      expect(await business.deposits(business.run())).to.deep.equal([
        '2030-01-15 deposit 18.24 fee 1.76 of 1',
      ])
      expect(await business.ledger(partly)).to.deep.equal(['refund -9.99', 'deposit -20'])
      expect(await booksOf(core, processing)).to.deep.equal({ cash: -176, fee_income: 176 })
    })

    it('charges fees to the account if there is no amount to deduct them from', async () => {
      const processing = await business.account()
      await business.refund(idOf(await pay(core, processing, 10)), 10)
      business.at('2030-01-16 12:00:00')
      expect(await business.deposits(business.run())).to.deep.equal([
        '2030-01-15 reversal 0.59 fee 0.59 of 0',
      ])
    })

    it('keeps no amount for fully refunded payments without fees', async () => {
      for (const billing_preference of ['netted_daily', 'billed_monthly']) {
        const processing = await business.account({
          credit_trans_rate: 0,
          credit_trans_cost: 0,
          billing_preference,
        })
        await pay(core, processing, 10)
        const returned = idOf(await pay(core, processing, 5))
        await business.refund(returned, 5)
        const { now } = await core.ok('POST', '/admin/clock', { by: '1d' })
        const run = await core.ok('GET', '/transactions', undefined, {
          query: `processing_id=${processing}&type=deposit&fields=amount,fee,ledger`,
        })
        expect(valuesOf(run), String(now)).to.have.length(1)
        const { transactions } = await business.kept(processing)
        expect(transactions.find(({ id }) => id === returned)).to.include({
          awaiting: null,
          charged_by: null,
        })
      }
    })

    it('makes a reversal if more was paid out than came in', async () => {
      const processing = await business.account({ batch_fee: 1 })
      await pay(core, processing, 10)
      await payOut(processing, 30)
      await payOut(processing, 5, 'refund')
      business.at('2030-01-16 12:00:00')
      expect(await business.deposits(business.plan())).to.deep.equal([
        '2030-01-15 reversal 26.59 fee 1.59 of 3',
      ])
      expect(await business.deposits(business.run())).to.deep.equal([
        '2030-01-15 reversal 26.59 fee 1.59 of 3',
      ])
      const [reversal] = await business.all(processing, 'reversal')
      const entries = await business.ledger(idOf(reversal ?? {}))
      expect(entries).to.have.members(['payment 10', 'credit -30', 'refund -5'])
      expect(await booksOf(core, processing)).to.deep.equal({ cash: -159, fee_income: 159 })
    })

    it('postpones the deposit if its amount is zero', async () => {
      const processing = await business.account({ credit_trans_rate: 0, credit_trans_cost: 0 })
      await pay(core, processing, 10)
      await payOut(processing, 10)
      business.at('2030-01-16 12:00:00')
      expect(await business.deposits(business.plan())).to.deep.equal([])
      expect(await business.run()).to.deep.include({ captured: 2, transactions: 0, deposits: [] })
      await pay(core, processing, 5)
      business.at('2030-01-17 12:00:00')
      expect(await business.deposits(business.plan())).to.deep.equal(['2030-01-16 deposit 5 fee 0 of 3'])
      expect(await business.deposits(business.run())).to.deep.equal(['2030-01-16 deposit 5 fee 0 of 3'])
    })

    it('writes no row when repeated or in a dry run', async () => {
      const processing = await business.account()
      await pay(core, processing, 29.99)
      business.at('2030-01-16 12:00:00')
      const dry = await core.ok('POST', '/admin/funding/run', {}, { dryRun: true })
      expect(dry).to.include({ captured: 0, transactions: 1, finished: true })
      expect(dry.deposits).to.have.length(1)
      expect(await business.all(processing, 'deposit')).to.deep.equal([])
      await business.run()
      const before = await business.all(processing, 'deposit')
      expect(await business.run()).to.deep.include({ captured: 0, transactions: 0, deposits: [] })
      expect(await business.all(processing, 'deposit')).to.deep.equal(before)
    })

    it("ends business days at midnight in the organization's time zone", async () => {
      const tokyo = await core.ok('POST', '/orgs', {
        name: 'Tokyo',
        org_type: 'company',
        industry: 'books',
        timezone: 'Asia/Tokyo',
      })
      const there = await business.account({}, { parent_org_id: idOf(tokyo) })
      const here = await business.account()
      await pay(core, there, 29.99)
      await pay(core, here, 29.99)
      business.at('2030-01-16 09:59:59')
      expect(await business.deposits(business.run())).to.deep.equal([
        '2030-01-15 deposit 28.82 fee 1.17 of 1',
      ])
      business.at('2030-01-16 10:00:00')
      expect(await business.deposits(business.run())).to.deep.equal([
        '2030-01-16 deposit 28.82 fee 1.17 of 1',
      ])
      expect(await business.all(there, 'deposit')).to.have.length(1)
    })

    it('catches up days without a run, each with its own deposit', async () => {
      const processing = await business.account()
      await pay(core, processing, 10)
      business.at('2030-01-16 12:00:00')
      await pay(core, processing, 20)
      business.at('2030-01-19 12:00:00')
      await pay(core, processing, 30)
      const days = ['2030-01-15 deposit 9.41 fee 0.59 of 1', '2030-01-16 deposit 19.12 fee 0.88 of 1']
      expect(await business.deposits(business.plan('date=2030-01-15'))).to.deep.equal(days.slice(0, 1))
      expect(await business.deposits(business.plan())).to.deep.equal(days)
      expect(await business.deposits(business.run({ date: '2030-01-15' }))).to.deep.equal(days.slice(0, 1))
      expect(await business.deposits(business.run())).to.deep.equal(days.slice(1))
    })

    it('accepts only days that are over', async () => {
      business.at('2030-01-15 23:59:59')
      const { status, body } = await core.send('POST', '/admin/funding/run', { date: '2030-01-15' })
      expect(status).to.equal(400)
      expect(body.details).to.deep.equal({
        date: 'Must be a day that is over: it ends at 2030-01-16 00:00:00',
      })
    })

    it('captures payments, which then cannot be voided', async () => {
      const processing = await business.account()
      const payment = idOf(await pay(core, processing, 10))
      const voided = idOf(await pay(core, processing, 10))
      await core.ok('PUT', `/transactions/${voided}`, { status: 'voided' })
      business.at('2030-01-16 00:00:00')
      await core.environment.runDueJobs()
      expect(await business.read(payment)).to.include({ status: 'processed', funding_status: 'captured' })
      const { body } = await core.send('PUT', `/transactions/${payment}`, { status: 'voided' })
      expect(body.details).to.deep.equal({
        status: 'Cannot change from processed to voided: it has settled, refund it instead',
      })
      expect(await business.deposits(business.run())).to.deep.equal(['2030-01-15 deposit 9.41 fee 0.59 of 1'])
    })

    it('starts automatically an hour after the cut-off', async () => {
      const processing = await business.account()
      await pay(core, processing, 10)
      business.at('2030-01-16 00:59:59')
      const day = Date.UTC(2030, 0, 16)
      expect(await core.environment.runDueJobs()).to.deep.equal([{ job: 'cut_off', at: day, count: 1 }])
      business.at('2030-01-16 01:00:00')
      expect(await core.environment.runDueJobs()).to.deep.equal([
        { job: 'funding', at: day + 3_600_000, count: 1 },
      ])
      expect(await core.environment.runDueJobs()).to.deep.equal([])
      expect(await business.all(processing, 'deposit')).to.have.length(1)
    })

    it('assigns a payment that is taken after a clock move to the day of the moved clock', async () => {
      const processing = await business.account()
      await core.ok('PUT', '/admin/clock', { now: '2030-03-01 17:00:00' })
      await pay(core, processing, 29.99)
      expect(await business.deposits(business.plan())).to.deep.equal([])
      await core.ok('PUT', '/admin/clock', { now: '2030-03-02 17:00:00' })
      expect(await business.deposits(business.run())).to.deep.equal([
        '2030-03-01 deposit 28.82 fee 1.17 of 1',
      ])
    })

    it('starts an hour after the cut-off, even if the clock is set between the two', async () => {
      const processing = await business.account({ monthly_processing_fee: 5 })
      await pay(core, processing, 10)
      await core.ok('PUT', '/admin/clock', { now: '2030-01-16 00:30:00' })
      const paid = await core.ok('POST', '/admin/clock', { by: '1h' })
      expect(paid.done).to.deep.equal([
        { at: '2030-01-16 00:00:00', job: 'cut_off', count: 1 },
        { at: '2030-01-16 01:00:00', job: 'funding', count: 1 },
      ])
      await core.ok('PUT', '/admin/clock', { now: '2030-02-01 00:30:00' })
      const billed = await core.ok('POST', '/admin/clock', { by: '1h' })
      expect(billed.done).to.deep.equal([{ at: '2030-02-01 01:00:00', job: 'monthly_bills', count: 1 }])
    })

    it('follows the clock day by day until the monthly bill', async () => {
      const processing = await business.account({
        billing_preference: 'billed_monthly',
        monthly_processing_fee: 5,
        minimum_bill: 10,
      })
      await pay(core, processing, 10)
      const { done } = await core.ok('POST', '/admin/clock', { by: '1mo' })
      expect(done).to.deep.equal([
        { at: '2030-01-16 00:00:00', job: 'cut_off', count: 1 },
        { at: '2030-01-16 01:00:00', job: 'funding', count: 1 },
        { at: '2030-02-01 01:00:00', job: 'monthly_bills', count: 1 },
      ])
      expect(await business.all(processing, 'reversal')).to.have.length(1)
      const [bill] = await business.all(processing, 'reversal')
      expect(bill).to.include({ amount: 10, fee: 10, created_at: '2030-02-01 01:00:00' })
      expect(await business.ledger(idOf(bill ?? {}))).to.deep.equal([])
    })

    it('interface line 12: shows amounts waiting for a bill, and the parts of a bill', async () => {
      const processing = await business.account({ billing_preference: 'billed_monthly', minimum_bill: 3 })
      const payment = idOf(await pay(core, processing, 29.99))
      const fields = 'fields=id,fee,accrued_fee,charged_by'
      const shown = async () => await core.ok('GET', `/transactions/${payment}`, undefined, { query: fields })
      expect(await shown()).to.deep.equal({ id: payment, fee: 0, accrued_fee: 1.17, charged_by: null })
      await core.ok('POST', '/admin/clock', { by: '1mo' })
      const [bill] = await business.all(processing, 'reversal')
      const id = idOf(bill ?? {})
      const query = 'fields=period,description'
      expect(await core.ok('GET', `/transactions/${id}`, undefined, { query })).to.deep.equal({
        period: '2030-01',
        description: 'Fees of 2030-01: transactions and deposits 1.17, up to the minimum 1.83',
      })
      const found = await core.ok('GET', '/transactions', undefined, {
        query: `charged_by=${id}&fields=accrued_fee`,
      })
      expect(valuesOf(found).reduce((sum, one) => sum + Number(one.accrued_fee), 0)).to.equal(1.17)
    })
  })
})
