import { expect } from 'chai'
import fc from 'fast-check'
import {
  type Attempt,
  type Collectable,
  nextStep,
} from '../../../../src/domain/billing/collecting/next-step.js'
import { addDays } from '../../../../src/platform/calendar/date.js'

const DUE = '2028-02-27'

const invoice: Collectable = {
  today: DUE,
  dueDate: DUE,
  amountDue: 2000,
  attempts: [],
  isOpen: false,
  hasMethod: true,
}
const failed = (date: string, statusCode: string | null = 'insufficient_bal'): Attempt => ({
  date,
  outcome: 'failed',
  statusCode,
})
const charge = { kind: 'charge', amount: 2000 }
const stop = { kind: 'stop' }
const wait = (until: string) => ({ kind: 'wait', until })

describe('collecting an invoice', () => {
  it('begins on the due date, or later after a downtime', () => {
    expect(nextStep({ ...invoice, today: '2028-02-26' })).to.deep.equal(wait(DUE))
    expect(nextStep(invoice)).to.deep.equal(charge)
    expect(nextStep({ ...invoice, today: '2028-09-09' })).to.deep.equal(charge)
  })

  it('leaves alone what is paid and what is never due', () => {
    expect(nextStep({ ...invoice, amountDue: 0 })).to.deep.equal(stop)
    expect(nextStep({ ...invoice, amountDue: -5 })).to.deep.equal(stop)
    expect(nextStep({ ...invoice, dueDate: null })).to.deep.equal(stop)
  })

  it('tries again each day for five days after a decline', () => {
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

  it('tries once a day', () => {
    expect(nextStep({ ...invoice, attempts: [failed(DUE)] })).to.deep.equal(wait('2028-02-28'))
    // The clock was set back.
    const later = [failed('2028-03-10')]
    expect(nextStep({ ...invoice, attempts: later })).to.deep.equal(wait('2028-03-11'))
  })

  it('stops when trying again is of no use', () => {
    const tomorrow = { ...invoice, today: '2028-02-28' }
    for (const code of [
      'card_expired',
      'invalid_card_number',
      'invalid_card_code',
      'invalid_zip',
      'suspicious_activity',
    ])
      expect(nextStep({ ...tomorrow, attempts: [failed(DUE, code)] }), code).to.deep.equal(stop)
    for (const code of [
      'insufficient_bal',
      'general_decline',
      'exceeded_limit',
      'too_many_attempts',
      'never_sent',
      null,
    ])
      expect(nextStep({ ...tomorrow, attempts: [failed(DUE, code)] }), `${code}`).to.deep.equal(charge)
  })

  it('waits for a payment whose outcome is open', () => {
    expect(nextStep({ ...invoice, isOpen: true })).to.deep.equal(wait('2028-02-28'))
  })

  it('waits five days for a method', () => {
    const without = { ...invoice, hasMethod: false }
    expect(nextStep(without)).to.deep.equal(wait('2028-02-28'))
    expect(nextStep({ ...without, today: '2028-03-03' })).to.deep.equal(stop)
  })

  it('does not collect again what was collected', () => {
    const attempts: Attempt[] = [{ date: DUE, outcome: 'paid', statusCode: 'approved' }]
    expect(nextStep({ ...invoice, today: '2028-02-28', attempts })).to.deep.equal(stop)
  })

  it('always waits for a later day, and comes to an end', () => {
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
