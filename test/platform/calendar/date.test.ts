import { expect } from 'chai'
import fc from 'fast-check'
import {
  addDays,
  addMonths,
  dateIn,
  daysBetween,
  monthLength,
  partsOf,
} from '../../../src/platform/calendar/date.js'

/** Dates of the years 1800 to 2399. */
const dates = fc
  .record({
    year: fc.integer({ min: 1800, max: 2399 }),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 31 }),
  })
  .map(({ year, month, day }) => dateIn(year, month, day))

describe('dates', () => {
  it('include leap days every four years, but in centuries only every fourth', () => {
    expect([1900, 2000, 2023, 2024, 2100].map((year) => monthLength(year, 2))).to.deep.equal([
      28, 29, 28, 29, 28,
    ])
  })

  it('are cut to the last day of a shorter month', () => {
    expect([1, 2, 3, 4].map((month) => dateIn(2026, month, 31))).to.deep.equal([
      '2026-01-31',
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
    ])
    expect(dateIn(2024, 2, 30)).to.equal('2024-02-29')
    expect(dateIn(7, 2, 3)).to.equal('0007-02-03')
  })

  it('move by months across the ends of years', () => {
    expect(addMonths('2026-01-31', 1)).to.equal('2026-02-28')
    expect(addMonths('2024-02-29', 12)).to.equal('2025-02-28')
    expect(addMonths('2026-12-15', 1)).to.equal('2027-01-15')
    expect(addMonths('2026-01-15', -1)).to.equal('2025-12-15')
    expect(addMonths('2026-03-31', -13)).to.equal('2025-02-28')
  })

  it('are the same again after as many days back as forward', () => {
    fc.assert(
      fc.property(dates, fc.integer({ min: -100_000, max: 100_000 }), (date, days) => {
        const moved = addDays(date, days)
        expect(addDays(moved, -days)).to.equal(date)
        expect(daysBetween(date, moved)).to.equal(days)
        expect(moved > date).to.equal(days > 0)
      }),
    )
  })

  it('move by months without leaving the target month', () => {
    fc.assert(
      fc.property(dates, fc.integer({ min: -1000, max: 1000 }), (date, months) => {
        const from = partsOf(date)
        const to = partsOf(addMonths(date, months))
        expect(to.year * 12 + to.month).to.equal(from.year * 12 + from.month + months)
        expect(to.day).to.equal(Math.min(from.day, monthLength(to.year, to.month)))
      }),
    )
  })
})
