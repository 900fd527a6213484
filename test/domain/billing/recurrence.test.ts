import { expect } from 'chai'
import { foreignDays, periodProblem } from '../../../src/domain/billing/schedules/recurrence.js'

describe('the days of a billing schedule', () => {
  it('match its frequency', () => {
    const monthly = { billing_day: 31 }
    expect(foreignDays({ monthly }, 'monthly')).to.equal(undefined)
    expect(foreignDays({ monthly }, 'bimonthly')).to.deep.equal({
      monthly: 'Only with recurring_frequency monthly',
    })
    expect(foreignDays({ monthly }, null)).to.have.all.keys('monthly')
  })

  it('can be sent as null, at any depth', () => {
    const sent = { monthly: null, annually: {}, quarterly: { q1: null, q2: { billing_day: null } } }
    expect(foreignDays(sent, 'daily')).to.equal(undefined)
    expect(foreignDays({ quarterly: { q4: { billing_day: 1 } } }, 'daily')).to.have.all.keys('quarterly')
  })

  it('need a period with a start date, and with no end date before it', () => {
    expect(periodProblem({ start_date: '2030-01-01', end_date: null })).to.equal(undefined)
    expect(periodProblem({ start_date: '2030-01-01', end_date: '2030-01-01' })).to.equal(undefined)
    expect(periodProblem({ start_date: '2030-01-01', end_date: '2029-12-31' })).to.have.all.keys('end_date')
    expect(periodProblem({ start_date: null, end_date: '2029-12-31' })).to.have.all.keys('start_date')
  })
})
