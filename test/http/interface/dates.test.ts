import { expect } from 'chai'
import { idOf, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, owner } from '../../support/examples.js'
import { openShop, type Shop } from './shop.js'

/** Notations of the same time, midnight of 1 February 2039 in UTC, with the date in each. */
const MOMENTS: readonly [written: string, day: string][] = [
  ['2039-02-01', '2039-02-01'],
  ['2039-02-01T00:00:00', '2039-02-01'],
  ['2039-02-01T00:00:00Z', '2039-02-01'],
  ['2039-02-01T00:00:00.000Z', '2039-02-01'],
  ['2039-02-01T01:00:00.5+01:00', '2039-02-01'],
  ['2039-01-31T19:00:00-0500', '2039-01-31'],
  ['2039-02-01 00:00:00', '2039-02-01'],
  ['2039-02-01 00:00:00 UTC', '2039-02-01'],
  ['2039-02-01 00:00', '2039-02-01'],
  ['2/1/2039', '2039-02-01'],
  ['2/1/2039 12:00:00 AM', '2039-02-01'],
  ['Tue Feb 01 2039 00:00:00 GMT+0000 (Coordinated Universal Time)', '2039-02-01'],
  ['Mon Jan 31 2039 19:00:00 GMT-0500 (Eastern Standard Time)', '2039-01-31'],
  ['Tue, 01 Feb 2039 00:00:00 GMT', '2039-02-01'],
]

const WRONG = [
  'yesterday',
  '2039-02-30',
  '2039-02-01T25:00:00',
  '2039-02-01T00:00:00+25:00',
  '2/1/2039 13:00:00 PM',
  '1/2',
  '0000-01-01T00:00:00+14:00',
]

onDatabases((open) => {
  describe('interface line 7: dates sent by clients', () => {
    let shop: Shop
    let customer: string

    before(async () => {
      shop = await openShop(open)
      customer = idOf(await shop.ok('POST', '/customers', { name: 'Ada Park' }))
    })

    for (const [written, day] of MOMENTS) {
      it(`${written} means that datetime, and ${day} as a date`, async () => {
        const link = { amount: 10, expires_at: written }
        expect(await shop.ok('POST', '/payment_links', link)).to.include({
          expires_at: '2039-02-01 00:00:00',
        })
        const invoice = { customer_id: customer, processing_id: shop.account, due_date: written }
        expect(await shop.ok('POST', '/invoices', invoice)).to.include({ due_date: day })
      })
    }

    for (const written of WRONG) {
      it(`${written} is refused`, async () => {
        const link = await shop.ask('POST', '/payment_links', { amount: 10, expires_at: written })
        expect([link.status, link.body.error_description]).to.deep.equal([400, '[expires_at]'])
        const found = await shop.ask('GET', `/invoices?created_at=${encodeURIComponent(written)}`)
        expect([found.status, found.body.error_description]).to.deep.equal([400, '[created_at]'])
      })
    }

    it('are accepted in every attribute with a date, including nested attributes', async () => {
      const entity = await shop.ok('GET', `/accounts/${shop.account}?fields=legal_entity[id]`)
      const { id } = Object(entity.legal_entity)
      const owners = await shop.ok('PUT', `/legal_entities/${id}?fields=owners`, {
        owners: [{ ...owner(), birth_date: '1980-01-31T00:00:00.000Z' }],
      })
      expect(owners).to.have.nested.property('owners[0].birth_date', '1980-01-31 00:00:00')
    })
  })

  describe('interface line 7: a bare day in a filter of datetimes', () => {
    let shop: Shop

    before(async () => {
      shop = await openShop(open)
      const ends = ['2039-01-31 23:59:59', '2039-02-01', '2039-02-01 23:59:59', '2039-02-02']
      for (const [amount, expires_at] of ends.entries())
        await shop.ok('POST', '/payment_links', { amount: amount + 1, expires_at })
      await shop.ok('POST', '/payment_links', { amount: 5 })
    })

    const found = async (filter: string) => {
      const query = `expires_at=${encodeURIComponent(filter)}&order_by=amount`
      return valuesOf(await shop.ok('GET', `/payment_links?${query}`)).map(({ amount }) => amount)
    }

    it('means the whole day', async () => {
      expect(await found('2039-02-01')).to.deep.equal([2, 3])
      expect(await found('2/1/2039')).to.deep.equal([2, 3])
      expect(await found('!2039-02-01')).to.deep.equal([1, 4, 5])
      expect(await found('<2039-02-01')).to.deep.equal([1])
      expect(await found('<=2039-02-01')).to.deep.equal([1, 2, 3])
      expect(await found('>2039-02-01')).to.deep.equal([4])
      expect(await found('>=2039-02-01')).to.deep.equal([2, 3, 4])
      expect(await found('2039-02-01|2039-02-02')).to.deep.equal([2, 3, 4])
      expect(await found('<2039-02-01|>2039-02-01')).to.deep.equal([1, 4])
    })

    it('with a time means that second', async () => {
      expect(await found('2039-02-01 00:00:00')).to.deep.equal([2])
      expect(await found('2039-02-01T00:00:00+00:00')).to.deep.equal([2])
      expect(await found('<=2039-02-01T00:00:00Z')).to.deep.equal([1, 2])
    })

    it('may have a plus sign that the client did not encode', async () => {
      const answer = await shop.ok('GET', '/payment_links?expires_at=2039-02-01T01:00:00+01:00')
      expect(valuesOf(answer).map(({ amount }) => amount)).to.deep.equal([2])
    })
  })

  describe('interface line 7: processed_date', () => {
    let shop: Shop

    before(async () => {
      shop = await openShop(open)
      const org = await shop.ok('POST', '/orgs', {
        name: 'Auckland',
        org_type: 'merchant',
        industry: 'books',
        timezone: 'Pacific/Auckland',
      })
      await shop.ok('PUT', `/accounts/${shop.account}`, { parent_org_id: idOf(org) })
    })

    it("is the day in the organization's time zone, for refunds, too", async () => {
      // At noon in UTC it is after midnight in Auckland.
      await shop.ok('PUT', '/admin/clock', { now: '2039-02-01 12:00:00' })
      const payment = await shop.ok('POST', '/transactions', {
        type: 'payment',
        amount: 20,
        payment_method: card(),
      })
      expect(payment).to.include({ processed_date: '2039-02-02' })
      const refund = await shop.ok('POST', '/transactions', {
        type: 'refund',
        amount: 5,
        ledger: [{ assoc_transaction_id: idOf(payment) }],
      })
      expect(refund).to.include({ processed_date: '2039-02-02' })
    })
  })
})
