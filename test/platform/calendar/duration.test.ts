import { expect } from 'chai'
import fc from 'fast-check'
import { addDuration, parseDuration } from '../../../src/platform/calendar/duration.js'
import { datetimeOf, millisecondsOf } from '../../../src/schema/datetime.js'

/** A datetime plus a duration; undefined if the duration is invalid. */
function later(from: string, text: string): string | undefined {
  const duration = parseDuration(text)
  const moved = duration && addDuration(millisecondsOf(from), duration)
  return moved === undefined ? undefined : datetimeOf(moved)
}

describe('durations', () => {
  it('are written with their units, in any order', () => {
    expect(later('2026-11-21 10:00:00', '1d')).to.equal('2026-11-22 10:00:00')
    expect(later('2026-11-21 10:00:00', '2w')).to.equal('2026-12-05 10:00:00')
    expect(later('2026-11-21 10:00:00', '12h')).to.equal('2026-11-21 22:00:00')
    expect(later('2026-11-21 10:00:00', '90min 5s')).to.equal('2026-11-21 11:30:05')
    expect(later('2026-11-21 10:00:00', '1d 2w 1mo 1y')).to.equal('2028-01-05 10:00:00')
    expect(later('2026-11-21 10:00:00', ' 1y1mo2w1d ')).to.equal('2028-01-05 10:00:00')
    expect(later('2026-11-21 10:00:00', '0d')).to.equal('2026-11-21 10:00:00')
  })

  it('stay within the target month', () => {
    expect(later('2026-01-31 23:59:59', '1mo')).to.equal('2026-02-28 23:59:59')
    expect(later('2024-02-29 00:00:00', '1y')).to.equal('2025-02-28 00:00:00')
    expect(later('2026-01-31 00:00:00', '1mo 1d')).to.equal('2026-03-01 00:00:00')
  })

  it('are refused in any other form', () => {
    for (const text of ['', '1', 'd', '1m', '-1d', '1.5d', '1 d', '1d,2w', '1d x', '1mo2', '9999999d'])
      expect(parseDuration(text), text).to.equal(undefined)
  })

  it('end with the last representable date', () => {
    expect(later('2026-11-21 10:00:00', '7973y')).to.equal('9999-11-21 10:00:00')
    for (const text of ['7974y', '7973y 2mo', '7973y 41d', '999999y', '999999mo', '999999w'])
      expect(later('2026-11-21 10:00:00', text), text).to.equal(undefined)
  })

  it('of days and smaller units have a fixed length', () => {
    fc.assert(
      fc.property(fc.nat(4_000_000_000), fc.nat(9999), fc.nat(9999), (seconds, days, minutes) => {
        const duration = parseDuration(`${days}d ${minutes}min`)
        expect(duration && addDuration(seconds * 1000, duration)).to.equal(
          seconds * 1000 + days * 86_400_000 + minutes * 60_000,
        )
      }),
    )
  })
})
