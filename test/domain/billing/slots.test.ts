import { expect } from 'chai'
import fc from 'fast-check'
import {
  type AnnualDay,
  type Frequency,
  nextSlot,
  type Recurrence,
  slotsBetween,
} from '../../../src/domain/billing/schedules/slots.js'
import {
  addDays,
  type DateParts,
  dateIn,
  daysBetween,
  monthLength,
  partsOf,
} from '../../../src/platform/calendar/date.js'

const FREQUENCIES = ['daily', 'weekly', 'biweekly', 'bimonthly', 'monthly', 'quarterly', 'annually'] as const

const dates = fc
  .record({
    year: fc.integer({ min: 2019, max: 2033 }),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 31 }),
  })
  .map(({ year, month, day }) => dateIn(year, month, day))

const billingDay = fc.integer({ min: 1, max: 31 })
const quarterDay = (quarter: number) =>
  fc.option(
    fc.record({ billingDay, billingMonth: fc.integer({ min: quarter * 3 + 1, max: quarter * 3 + 3 }) }),
  )

const recurrences: fc.Arbitrary<Recurrence> = fc.record({
  frequency: fc.constantFrom(...FREQUENCIES),
  startDate: dates,
  endDate: fc.option(dates),
  annually: fc.option(fc.record({ billingDay, billingMonth: fc.integer({ min: 1, max: 12 }) })),
  bimonthly: fc.option(fc.record({ firstBillingDay: billingDay, secondBillingDay: billingDay })),
  monthly: fc.option(fc.record({ billingDay })),
  quarterly: fc.option(
    fc.record({ q1: quarterDay(0), q2: quarterDay(1), q3: quarterDay(2), q4: quarterDay(3) }),
  ),
})

function every(frequency: Frequency, startDate: string, more: Partial<Recurrence> = {}): Recurrence {
  return { frequency, startDate, endDate: null, ...more }
}

/** The slots of a range, `from..to`. */
function slots(recurrence: Recurrence, range: string): string[] {
  const [from = '', to = ''] = range.split('..')
  return [...slotsBetween(recurrence, from, to)]
}

describe('billing slots', () => {
  it('of days and weeks count from the start', () => {
    expect(slots(every('daily', '2024-02-28'), '2024-02-01..2024-03-01')).to.deep.equal([
      '2024-02-28',
      '2024-02-29',
      '2024-03-01',
    ])
    expect(slots(every('weekly', '2026-11-02'), '2026-11-05..2026-11-30')).to.deep.equal([
      '2026-11-09',
      '2026-11-16',
      '2026-11-23',
      '2026-11-30',
    ])
    expect(slots(every('biweekly', '2025-12-31'), '2026-01-01..2026-02-01')).to.deep.equal([
      '2026-01-14',
      '2026-01-28',
    ])
  })

  it('of a month on day 31 are its last day, and day 31 again in longer months', () => {
    const monthly = { billingDay: 31 }
    expect(slots(every('monthly', '2024-01-15', { monthly }), '2024-01-01..2024-05-31')).to.deep.equal([
      '2024-01-31',
      '2024-02-29',
      '2024-03-31',
      '2024-04-30',
      '2024-05-31',
    ])
    expect(slots(every('monthly', '2025-01-31'), '2025-02-01..2025-03-31')).to.deep.equal([
      '2025-02-28',
      '2025-03-31',
    ])
  })

  it('of a month begin with the billing day on or after the start', () => {
    const monthly = { billingDay: 10 }
    expect(slots(every('monthly', '2026-11-10', { monthly }), '2026-11-01..2026-12-31')).to.deep.equal([
      '2026-11-10',
      '2026-12-10',
    ])
    expect(slots(every('monthly', '2026-11-11', { monthly }), '2026-11-01..2026-12-31')).to.deep.equal([
      '2026-12-10',
    ])
  })

  it('of two days a month are the last two days of a shorter month', () => {
    const between = (first: number, second: number, range: string) =>
      slots(
        every('bimonthly', '2023-01-01', {
          bimonthly: { firstBillingDay: first, secondBillingDay: second },
        }),
        range,
      )
    expect(between(29, 31, '2023-01-01..2023-03-31')).to.deep.equal([
      '2023-01-29',
      '2023-01-31',
      '2023-02-27',
      '2023-02-28',
      '2023-03-29',
      '2023-03-31',
    ])
    expect(between(29, 31, '2024-02-01..2024-02-29')).to.deep.equal(['2024-02-28', '2024-02-29'])
    expect(between(30, 31, '2027-04-01..2027-04-30')).to.deep.equal(['2027-04-29', '2027-04-30'])
    expect(between(28, 31, '2027-02-01..2027-02-28')).to.deep.equal(['2027-02-27', '2027-02-28'])
    expect(between(15, 15, '2027-02-01..2027-02-28')).to.deep.equal(['2027-02-14', '2027-02-15'])
    expect(between(1, 1, '2027-02-01..2027-02-28')).to.deep.equal(['2027-02-01', '2027-02-02'])
  })

  it('of two days a month are two in every month, for any chosen days', () => {
    const months = Array.from({ length: 48 }, (_, index) => ({
      year: 2024 + Math.floor(index / 12),
      month: (index % 12) + 1,
    }))
    const days = Array.from({ length: 31 }, (_, index) => index + 1)
    for (const firstBillingDay of days)
      for (const secondBillingDay of days) {
        const bimonthly = { firstBillingDay, secondBillingDay }
        const found = slots(every('bimonthly', '2024-01-01', { bimonthly }), '2024-01-01..2027-12-31')
        const counted = months.map(({ year, month }) => {
          const [first, last] = [dateIn(year, month, 1), dateIn(year, month, 31)]
          return found.filter((slot) => slot >= first && slot <= last).length
        })
        expect(counted, `${firstBillingDay} and ${secondBillingDay}`).to.deep.equal(months.map(() => 2))
      }
  })

  it('of two days a month are in order, whichever day is written first', () => {
    const bimonthly = { firstBillingDay: 20, secondBillingDay: 5 }
    expect(slots(every('bimonthly', '2026-11-01', { bimonthly }), '2026-11-01..2026-11-30')).to.deep.equal([
      '2026-11-05',
      '2026-11-20',
    ])
  })

  it('of two days a month are the start day and half a month later by default', () => {
    expect(slots(every('bimonthly', '2026-11-01'), '2026-11-01..2026-11-30')).to.deep.equal([
      '2026-11-01',
      '2026-11-16',
    ])
    expect(slots(every('bimonthly', '2026-10-31'), '2026-10-01..2026-11-30')).to.deep.equal([
      '2026-10-31',
      '2026-11-16',
      '2026-11-30',
    ])
  })

  it('of quarters come once in each, in the months of the schedule or implied by the start', () => {
    const quarterly = {
      q1: { billingDay: 31, billingMonth: 2 },
      q2: { billingDay: 15, billingMonth: 4 },
      q4: { billingDay: 31, billingMonth: 12 },
    }
    expect(slots(every('quarterly', '2025-08-20', { quarterly }), '2025-01-01..2026-12-31')).to.deep.equal([
      '2025-08-20',
      '2025-12-31',
      '2026-02-28',
      '2026-04-15',
      '2026-08-20',
      '2026-12-31',
    ])
    expect(slots(every('quarterly', '2025-11-30'), '2025-01-01..2026-12-31')).to.deep.equal([
      '2025-11-30',
      '2026-02-28',
      '2026-05-30',
      '2026-08-30',
      '2026-11-30',
    ])
  })

  it('of a year on 29 February are 28 February in other years', () => {
    expect(
      slots(
        every('annually', '2023-03-01', { annually: { billingDay: 29, billingMonth: 2 } }),
        '2023-01-01..2028-12-31',
      ),
    ).to.deep.equal(['2024-02-29', '2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29'])
    expect(slots(every('annually', '2024-02-29'), '2024-01-01..2026-12-31')).to.deep.equal([
      '2024-02-29',
      '2025-02-28',
      '2026-02-28',
    ])
  })

  it('include the end date and no later date', () => {
    expect(
      slots(every('daily', '2026-11-01', { endDate: '2026-11-03' }), '2026-11-01..2026-11-30'),
    ).to.have.length(3)
    expect(
      slots(every('monthly', '2026-01-31', { endDate: '2026-04-30' }), '2026-04-01..2026-12-31'),
    ).to.deep.equal(['2026-04-30'])
    expect(nextSlot(every('weekly', '2026-11-02', { endDate: '2026-11-10' }), '2026-11-09')).to.equal(
      undefined,
    )
    expect(nextSlot(every('weekly', '2026-11-02'), '2026-11-09')).to.equal('2026-11-16')
    expect(nextSlot(every('annually', '2026-11-02'), '2020-01-01')).to.equal('2026-11-02')
  })

  it('end with the last representable date', () => {
    for (const frequency of FREQUENCIES)
      expect(slots(every(frequency, '9999-12-20'), '9999-12-30..9999-12-31')).to.have.length.at.most(2)
  })

  it('are ascending and within range, start and end', () => {
    fc.assert(
      fc.property(recurrences, dates, dates, (recurrence, from, to) => {
        const found = [...slotsBetween(recurrence, from, to)]
        for (const [index, slot] of found.entries()) {
          expect(slot >= from && slot <= to && slot >= recurrence.startDate).to.equal(true)
          expect(recurrence.endDate === null || slot <= recurrence.endDate).to.equal(true)
          expect(index === 0 || slot > (found[index - 1] ?? '')).to.equal(true)
        }
      }),
    )
  })

  it('are the same computed at once or in pieces', () => {
    fc.assert(
      fc.property(recurrences, fc.array(dates, { minLength: 2, maxLength: 5 }), (recurrence, cuts) => {
        const [from = '', ...rest] = cuts.toSorted()
        const pieces = rest.flatMap((to, index) => [
          ...slotsBetween(recurrence, index === 0 ? from : addDays(rest[index - 1] ?? '', 1), to),
        ])
        expect(pieces).to.deep.equal([...slotsBetween(recurrence, from, rest.at(-1) ?? '')])
      }),
    )
  })

  it('are the same if each slot is computed from the one before', () => {
    fc.assert(
      fc.property(recurrences, dates, (recurrence, after) => {
        const until = addDays(after, 800)
        const found = []
        for (let slot = nextSlot(recurrence, after); slot && slot <= until; slot = nextSlot(recurrence, slot))
          found.push(slot)
        expect(found).to.deep.equal([...slotsBetween(recurrence, addDays(after, 1), until)])
      }),
      { numRuns: 50 },
    )
  })

  it('equal the days that a check of every day finds', () => {
    fc.assert(
      fc.property(recurrences, dates, (recurrence, from) => {
        const days = Array.from({ length: 500 }, (_, index) => addDays(from, index))
        const expected = days.filter((day) => isSlot(recurrence, day))
        expect([...slotsBetween(recurrence, from, addDays(from, 499))]).to.deep.equal(expected)
      }),
    )
  })
})

/** Whether a schedule bills on a date: the same rules, applied day by day. */
function isSlot(recurrence: Recurrence, date: string): boolean {
  const { frequency, startDate, endDate } = recurrence
  if (date < startDate || (endDate !== null && date > endDate)) return false
  const step = { daily: 1, weekly: 7, biweekly: 14 }[String(frequency)]
  if (step !== undefined) return daysBetween(startDate, date) % step === 0
  const { year, month, day } = partsOf(date)
  const length = monthLength(year, month)
  const [one = 0, other] = billingDaysOf(recurrence, month).map((wanted) => Math.min(wanted, length))
  const moved = one === 1 ? 2 : one - 1
  return day === one || day === (one === other ? moved : other)
}

function billingDaysOf(recurrence: Recurrence, month: number): number[] {
  const { frequency, monthly, bimonthly, annually, quarterly, startDate } = recurrence
  const start = partsOf(startDate)
  if (frequency === 'monthly') return [monthly?.billingDay ?? start.day]
  if (frequency === 'bimonthly') {
    const other = start.day <= 15 ? start.day + 15 : start.day - 15
    return bimonthly ? [bimonthly.firstBillingDay, bimonthly.secondBillingDay] : [start.day, other]
  }
  if (frequency === 'annually') {
    const { billingMonth, billingDay: day } = annually ?? { billingMonth: start.month, billingDay: start.day }
    return month === billingMonth ? [day] : []
  }
  const quarter = (['q1', 'q2', 'q3', 'q4'] as const)[Math.ceil(month / 3) - 1]
  return quarterDaysOf((quarter && quarterly?.[quarter]) ?? undefined, start, month)
}

function quarterDaysOf(told: AnnualDay | undefined, start: DateParts, month: number): number[] {
  if (told) return month === told.billingMonth ? [told.billingDay] : []
  return month % 3 === start.month % 3 ? [start.day] : []
}
