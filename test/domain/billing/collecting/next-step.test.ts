import { expect } from 'chai'
import fc from 'fast-check'
import {
  type Attempt,
  type Collectable,
  mayPresent,
  nextStep,
} from '../../../../src/domain/billing/collecting/next-step.js'
import { addDays } from '../../../../src/platform/calendar/date.js'

const DUE = '2028-02-27'

const invoice: Collectable = {
  today: DUE,
  dueDate: DUE,
  since: null,
  amountDue: 2000,
  attempts: [],
  isStopped: false,
  isOpen: false,
  hasMethod: true,
}
const failed = (date: string): Attempt => ({
  date,
  outcome: 'failed',
  isRequested: false,
  isEarlier: false,
})
const paid = (date: string): Attempt => ({ ...failed(date), outcome: 'paid' })
const charge = { kind: 'charge', amount: 2000 }
const stop = { kind: 'stop' }
const wait = (until: string) => ({ kind: 'wait', until })

describe('the next step of collecting an invoice', () => {
  it('begins on the due date, or later after a downtime', () => {
    expect(nextStep({ ...invoice, today: '2028-02-26' })).to.deep.equal(wait(DUE))
    expect(nextStep(invoice)).to.deep.equal(charge)
    expect(nextStep({ ...invoice, today: '2028-09-09' })).to.deep.equal(charge)
  })

  it('does not exist for paid invoices, and for invoices without a due date', () => {
    expect(nextStep({ ...invoice, amountDue: 0 })).to.deep.equal(stop)
    expect(nextStep({ ...invoice, amountDue: -5 })).to.deep.equal(stop)
    expect(nextStep({ ...invoice, dueDate: null })).to.deep.equal(stop)
  })

  it('is a retry each day for five days after a decline', () => {
    const attempts: Attempt[] = []
    const steps = []
    for (let day = 0; day < 8; day++) {
      const today = addDays(DUE, day)
      const step = nextStep({ ...invoice, today, attempts })
      if (step.kind === 'charge') attempts.push(failed(today))
      steps.push(step.kind)
    }
    expect(steps).to.deep.equal([...Array<string>(6).fill('charge'), 'stop', 'stop'])
    expect(attempts.at(-1)?.date).to.equal('2028-03-03')
  })

  it('is at most one attempt a day', () => {
    expect(nextStep({ ...invoice, attempts: [failed(DUE)] })).to.deep.equal(wait('2028-02-28'))
    // The clock was set back after the attempt.
    const later = [failed('2028-03-10')]
    expect(nextStep({ ...invoice, attempts: later })).to.deep.equal(wait('2028-03-11'))
  })

  it('does not exist after a person stopped the collection or the schedule ended', () => {
    expect(nextStep({ ...invoice, isStopped: true })).to.deep.equal(stop)
    expect(nextStep({ ...invoice, today: '2028-02-26', isStopped: true })).to.deep.equal(stop)
  })

  it('is to wait for a payment with an unknown outcome', () => {
    expect(nextStep({ ...invoice, isOpen: true })).to.deep.equal(wait('2028-02-28'))
  })

  it('is to wait five days for a payment method', () => {
    const without = { ...invoice, hasMethod: false }
    expect(nextStep(without)).to.deep.equal(wait('2028-02-28'))
    expect(nextStep({ ...without, today: '2028-03-03' })).to.deep.equal(stop)
  })

  it('is to wait for another method within the days after the first attempt', () => {
    const barred = { ...invoice, attempts: [failed(DUE)], hasMethod: false }
    expect(nextStep({ ...barred, today: '2028-02-28' })).to.deep.equal(wait('2028-02-29'))
    expect(nextStep({ ...barred, today: '2028-03-03', hasMethod: true })).to.deep.equal(charge)
    expect(nextStep({ ...barred, today: '2028-03-03' })).to.deep.equal(stop)
  })

  it('does not exist after a successful collection', () => {
    expect(nextStep({ ...invoice, today: '2028-02-28', attempts: [paid(DUE)] })).to.deep.equal(stop)
  })

  it('counts the five days from when a person resumed the collection', () => {
    const since = '2028-04-01'
    const earlier = { ...paid(DUE), isEarlier: true }
    const resumed = { ...invoice, today: since, since, attempts: [earlier] }
    expect(nextStep(resumed)).to.deep.equal(charge)
    expect(nextStep({ ...resumed, hasMethod: false })).to.deep.equal(wait('2028-04-02'))
    expect(nextStep({ ...resumed, today: '2028-04-06', hasMethod: false })).to.deep.equal(stop)
    const today = { ...earlier, date: since }
    expect(nextStep({ ...resumed, attempts: [today] }), 'once a day').to.deep.equal(wait('2028-04-02'))
  })

  it('ignores attempts on request, and attempts that reached no gateway', () => {
    const requested = { ...failed(DUE), isRequested: true }
    const unsent: Attempt = { ...failed('2028-02-28'), outcome: 'unsent' }
    const attempts = [requested, unsent]
    expect(nextStep({ ...invoice, today: '2028-03-01', attempts })).to.deep.equal(charge)
    expect(nextStep({ ...invoice, today: '2028-03-10', attempts })).to.deep.equal(charge)
    expect(nextStep({ ...invoice, today: '2028-02-28', attempts })).to.deep.equal(wait('2028-02-29'))
  })

  it('presents a debit that the bank returned at most twice again, within 180 days', () => {
    expect(mayPresent([], DUE)).to.equal(true)
    expect(mayPresent(['2028-01-03'], DUE)).to.equal(true)
    expect(mayPresent(['2028-01-03', '2028-01-06'], DUE)).to.equal(true)
    expect(mayPresent(['2028-01-03', '2028-01-06', '2028-01-10'], DUE)).to.equal(false)
    expect(mayPresent(['2028-01-03'], addDays('2028-01-03', 180))).to.equal(true)
    expect(mayPresent(['2028-01-03'], addDays('2028-01-03', 181))).to.equal(false)
  })

  it('is always on a later day, and eventually none', () => {
    const day = fc.integer({ min: -10, max: 40 })
    fc.assert(
      fc.property(
        day,
        fc.uniqueArray(day, { maxLength: 7 }),
        fc.boolean(),
        fc.boolean(),
        (now, tried, isOpen, hasMethod) => {
          const attempts = tried.toSorted((a, b) => a - b).map((n) => failed(addDays(DUE, n)))
          const today = addDays(DUE, now)
          const step = nextStep({ ...invoice, today, attempts, isOpen, hasMethod })
          if (step.kind === 'wait') expect(step.until > today).to.equal(true)
          if (step.kind === 'charge') expect(attempts.every(({ date }) => date < today)).to.equal(true)
        },
      ),
    )
  })
})
