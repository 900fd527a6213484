import { expect } from 'chai'
import fc from 'fast-check'
import {
  businessDayAt,
  type CutOff,
  DEFAULT_CUT_OFF,
  lastCutOff,
  monthEndAt,
  nextCutOff,
} from '../../../src/platform/calendar/cut-off.js'
import { addDays } from '../../../src/platform/calendar/date.js'
import { datetimeOf, millisecondsOf } from '../../../src/schema/datetime.js'

const cutOffs: fc.Arbitrary<CutOff> = fc.record({
  timeZone: fc.constantFrom('America/New_York', 'UTC', 'Pacific/Kiritimati', 'Australia/Lord_Howe'),
  time: fc.constantFrom('00:00', '01:30', '02:15', '19:00', '23:59'),
})
const instants = fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => seconds * 1000)

/** The last and next cut-off in New York, as dates and datetimes. */
function around(datetime: string) {
  const now = millisecondsOf(datetime)
  return [lastCutOff(DEFAULT_CUT_OFF, now), nextCutOff(DEFAULT_CUT_OFF, now)].map(
    ({ date, endsAt }) => `${date} until ${datetimeOf(endsAt)}`,
  )
}

describe('the daily cut-off', () => {
  it('ends a business day at 19:00 in New York', () => {
    expect(around('2026-11-20 23:59:59')).to.deep.equal([
      '2026-11-19 until 2026-11-20 00:00:00',
      '2026-11-20 until 2026-11-21 00:00:00',
    ])
    expect(around('2026-11-21 00:00:00')).to.deep.equal([
      '2026-11-20 until 2026-11-21 00:00:00',
      '2026-11-21 until 2026-11-22 00:00:00',
    ])
  })

  it('comes after 23 hours when clocks are put forward, and after 25 when they are put back', () => {
    expect(around('2026-03-08 12:00:00')).to.deep.equal([
      '2026-03-07 until 2026-03-08 00:00:00',
      '2026-03-08 until 2026-03-08 23:00:00',
    ])
    expect(around('2026-11-01 12:00:00')).to.deep.equal([
      '2026-10-31 until 2026-10-31 23:00:00',
      '2026-11-01 until 2026-11-02 00:00:00',
    ])
  })

  it('splits time into consecutive days', () => {
    fc.assert(
      fc.property(cutOffs, instants, (cutOff, now) => {
        const last = lastCutOff(cutOff, now)
        const next = nextCutOff(cutOff, now)
        expect(last.endsAt).to.be.at.most(now)
        expect(next.endsAt).to.be.greaterThan(now)
        expect(next.date).to.equal(addDays(last.date, 1))
        expect(lastCutOff(cutOff, next.endsAt)).to.deep.equal(next)
        expect(nextCutOff(cutOff, last.endsAt)).to.deep.equal(next)
        expect(nextCutOff(cutOff, last.endsAt - 1)).to.deep.equal(last)
      }),
    )
  })

  it('does not depend on earlier calls', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(cutOffs, instants), { maxLength: 20 }), (asked) => {
        for (const [cutOff, now] of asked)
          expect(businessDayAt(cutOff, now)).to.deep.equal(nextCutOff(cutOff, now))
      }),
    )
  })

  it('ends a month with its last business day', () => {
    const monthEnd = (datetime: string) => {
      const { date, endsAt } = monthEndAt(DEFAULT_CUT_OFF, millisecondsOf(datetime))
      return `${date} until ${datetimeOf(endsAt)}`
    }
    expect(monthEnd('2028-02-01 12:00:00')).to.equal('2028-02-29 until 2028-03-01 00:00:00')
    expect(monthEnd('2028-02-29 23:59:59')).to.equal('2028-02-29 until 2028-03-01 00:00:00')
    expect(monthEnd('2028-03-01 00:00:00')).to.equal('2028-03-31 until 2028-03-31 23:00:00')
    fc.assert(
      fc.property(cutOffs, instants, (cutOff, now) => {
        const end = monthEndAt(cutOff, now)
        expect(end.endsAt).to.be.greaterThan(now)
        expect(addDays(end.date, 1).slice(8)).to.equal('01')
        expect(businessDayAt(cutOff, now).date.slice(0, 7)).to.equal(end.date.slice(0, 7))
      }),
    )
  })

  it('continues in a zone that skipped a day', () => {
    const apia: CutOff = { timeZone: 'Pacific/Apia', time: '19:00' }
    const dates = []
    let now = millisecondsOf('2011-12-29 12:00:00')
    for (let i = 0; i < 3; i++) {
      const { date, endsAt } = nextCutOff(apia, now)
      dates.push(`${date} until ${datetimeOf(endsAt)}`)
      now = endsAt
    }
    expect(dates).to.deep.equal([
      '2011-12-29 until 2011-12-30 05:00:00',
      '2011-12-30 until 2011-12-31 05:00:00',
      '2012-01-01 until 2012-01-01 05:00:00',
    ])
  })
})
