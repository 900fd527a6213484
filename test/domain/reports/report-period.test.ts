import { expect } from 'chai'
import {
  bucketsOf,
  dayFinder,
  momentsOfDays,
  periodOf,
  slicesOf,
} from '../../../src/domain/reports/report-period.js'
import { millisecondsOf } from '../../../src/schema/datetime.js'

describe('the period of a report', () => {
  const usual = (zone: string, now: string) => {
    const { from, to } = periodOf({ from: null, to: null }, zone, millisecondsOf(now))
    return [from, to]
  }

  it('is the previous month in its time zone', () => {
    expect(usual('America/New_York', '2030-03-01 04:59:59')).to.deep.equal(['2030-01-01', '2030-01-31'])
    expect(usual('America/New_York', '2030-03-01 05:00:00')).to.deep.equal(['2030-02-01', '2030-02-28'])
    expect(usual('Pacific/Auckland', '2030-02-28 12:00:00')).to.deep.equal(['2030-02-01', '2030-02-28'])
    expect(usual('UTC', '2028-03-31 12:00:00')).to.deep.equal(['2028-02-01', '2028-02-29'])
    expect(usual('UTC', '2030-01-15 12:00:00')).to.deep.equal(['2029-12-01', '2029-12-31'])
  })

  it('begins and ends at midnight of its time zone, on days of 23 and 25 hours', () => {
    const day = (date: string) => momentsOfDays({ from: date, to: date }, 'America/New_York')
    expect(day('2030-03-10')).to.deep.equal({ start: '2030-03-10 05:00:00', end: '2030-03-11 04:00:00' })
    expect(day('2030-11-03')).to.deep.equal({ start: '2030-11-03 04:00:00', end: '2030-11-04 05:00:00' })
  })

  it('splits into slices and months without a gap', () => {
    const days = { from: '2030-01-30', to: '2030-03-02' }
    expect(bucketsOf(days, 'month')).to.deep.equal([
      { from: '2030-01-30', to: '2030-01-31' },
      { from: '2030-02-01', to: '2030-02-28' },
      { from: '2030-03-01', to: '2030-03-02' },
    ])
    const slices = slicesOf(days)
    expect(slices.at(0)).to.deep.equal({ from: '2030-01-30', to: '2030-02-05' })
    expect(slices.at(-1)).to.deep.equal({ from: '2030-02-27', to: '2030-03-02' })
    expect(bucketsOf(days, 'day')).to.have.length(32)
  })

  it('assigns each of its times to a day', () => {
    const dayOf = dayFinder({ from: '2030-03-09', to: '2030-03-11', zone: 'America/New_York' })
    expect(dayOf('2030-03-10 04:59:59')).to.equal('2030-03-09')
    expect(dayOf('2030-03-10 05:00:00')).to.equal('2030-03-10')
    expect(dayOf('2030-03-11 03:59:59')).to.equal('2030-03-10')
    expect(dayOf('2030-03-11 04:00:00')).to.equal('2030-03-11')
  })
})
