import { expect } from 'chai'
import { collectingFrom, overdueAt } from '../../../src/domain/billing/invoices/invoice-days.js'

const ZONE = 'America/New_York'

describe('the days of an invoice', () => {
  it('begin and end at midnight in the time zone of its organization', () => {
    expect(overdueAt(ZONE, '2030-01-15')).to.equal('2030-01-16 05:00:00')
    expect(collectingFrom(ZONE, '2030-01-15')).to.deep.equal({
      collect_on: '2030-01-15',
      collect_at: '2030-01-15 05:00:00',
    })
  })

  it('have no end on the last representable date, because no later time exists', () => {
    expect(overdueAt(ZONE, '9999-12-30')).to.equal('9999-12-31 05:00:00')
    expect(overdueAt(ZONE, '9999-12-31')).to.equal(null)
    expect(collectingFrom(ZONE, '9999-12-30')).to.include({ collect_on: '9999-12-30' })
    expect(collectingFrom(ZONE, '9999-12-31')).to.deep.equal({ collect_on: null, collect_at: null })
  })
})
