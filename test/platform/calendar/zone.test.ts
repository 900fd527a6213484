import { expect } from 'chai'
import fc from 'fast-check'
import { endOfDay, instantOf, isTimeZone, localDate } from '../../../src/platform/calendar/zone.js'
import { datetimeOf, millisecondsOf } from '../../../src/schema/datetime.js'

const HOUR = 3_600_000
const zones = fc.constantFrom(
  'UTC',
  'America/New_York',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Kiritimati',
  'America/Sao_Paulo',
  'Africa/Casablanca',
)
const instants = fc.integer({
  min: Date.parse('1971-01-01T00:00:00Z') / 1000,
  max: Date.parse('2199-12-31T00:00:00Z') / 1000,
})

/** The UTC datetime of a local time in a zone. */
const shown = (zone: string, date: string, time?: string) => datetimeOf(instantOf(zone, date, time))

describe('time zones', () => {
  it('have the names of the IANA database', () => {
    for (const name of ['America/New_York', 'US/Eastern', 'UTC', 'Asia/Kathmandu'])
      expect(isTimeZone(name), name).to.equal(true)
    for (const name of ['', 'America/Gotham', '+05:00', 'local', 'EST5EDT4', 'America/New York'])
      expect(isTimeZone(name), name).to.equal(false)
  })

  it('have their own date at the same instant', () => {
    const instant = millisecondsOf('2026-11-22 03:30:00')
    expect(localDate('America/New_York', instant)).to.equal('2026-11-21')
    expect(localDate('Europe/Berlin', instant)).to.equal('2026-11-22')
    expect(localDate('Pacific/Kiritimati', millisecondsOf('2026-12-31 11:00:00'))).to.equal('2027-01-01')
  })

  it('are ahead of UTC by one hour more in summer', () => {
    expect(shown('America/New_York', '2026-03-07', '19:00')).to.equal('2026-03-08 00:00:00')
    expect(shown('America/New_York', '2026-03-08', '19:00')).to.equal('2026-03-08 23:00:00')
    expect(shown('America/New_York', '2026-10-31', '19:00')).to.equal('2026-10-31 23:00:00')
    expect(shown('America/New_York', '2026-11-01', '19:00')).to.equal('2026-11-02 00:00:00')
    expect(shown('Asia/Kathmandu', '2026-01-01', '12:00:30')).to.equal('2026-01-01 06:15:30')
  })

  it('move a skipped local time later by the length of the gap', () => {
    expect(shown('America/New_York', '2026-03-08', '02:30')).to.equal('2026-03-08 07:30:00')
    expect(shown('America/New_York', '2026-03-08', '03:30')).to.equal('2026-03-08 07:30:00')
    expect(shown('Pacific/Apia', '2011-12-30', '12:00')).to.equal(
      shown('Pacific/Apia', '2011-12-31', '12:00'),
    )
  })

  it('use the first occurrence of a repeated local time', () => {
    expect(shown('America/New_York', '2026-11-01', '01:30')).to.equal('2026-11-01 05:30:00')
    expect(shown('Australia/Lord_Howe', '2026-04-05', '01:45')).to.equal('2026-04-04 14:45:00')
  })

  it('have days of 23, 24 and 25 hours', () => {
    const hours = (date: string) =>
      (endOfDay('America/New_York', date) - instantOf('America/New_York', date)) / HOUR
    expect(['2026-03-07', '2026-03-08', '2026-11-01', '2026-11-02'].map(hours)).to.deep.equal([
      24, 23, 25, 24,
    ])
  })

  it('begin a day an hour late if midnight is skipped', () => {
    expect(shown('America/Sao_Paulo', '2018-11-04')).to.equal('2018-11-04 03:00:00')
    expect(localDate('America/Sao_Paulo', endOfDay('America/Sao_Paulo', '2018-11-03'))).to.equal('2018-11-04')
    expect(localDate('America/Sao_Paulo', endOfDay('America/Sao_Paulo', '2018-11-03') - 1)).to.equal(
      '2018-11-03',
    )
  })

  it('end every day with its last second', () => {
    fc.assert(
      fc.property(zones, instants, (zone, seconds) => {
        const date = localDate(zone, seconds * 1000)
        const end = endOfDay(zone, date)
        expect(end).to.be.greaterThan(seconds * 1000)
        expect(localDate(zone, end - 1)).to.equal(date)
        expect(localDate(zone, end)).to.not.equal(date)
      }),
    )
  })

  it('read the datetimes that they write', () => {
    fc.assert(
      fc.property(instants, (seconds) => {
        expect(millisecondsOf(datetimeOf(seconds * 1000 + 999))).to.equal(seconds * 1000)
      }),
    )
  })
})
