import { expect } from 'chai'
import {
  cannotProcess,
  exceededLimit,
  mayProcess,
} from '../../../src/domain/payments/parties/find-destination.js'

describe('a processing account', () => {
  it('must be active in live; pending is enough in test', () => {
    const statuses = [
      'incomplete',
      'pending',
      'active',
      'in_review',
      'action_needed',
      'resubmit',
      'inactive',
      null,
    ] as const
    expect(statuses.filter((status) => mayProcess('live', status))).to.deep.equal(['active'])
    expect(statuses.filter((status) => mayProcess('test', status))).to.deep.equal(['pending', 'active'])
  })

  it('reports its missing requirements', () => {
    expect(
      cannotProcess({ id: 'acct_1', processing__status: 'incomplete' }, ['legal entity', 'bank account'])
        .details,
    ).to.deep.equal({
      processing_id:
        'The processing account cannot take payments: it is incomplete (missing: legal entity, bank account)',
    })
    expect(cannotProcess({ id: 'acct_1', processing__status: 'inactive' }, []).details).to.deep.equal({
      processing_id: 'The processing account cannot take payments: it is inactive',
    })
  })

  it('accepts amounts up to the smallest of its limits', () => {
    expect(exceededLimit(10_000, [10_000, undefined])).to.equal(undefined)
    expect(exceededLimit(10_001, [20_000, 10_000])).to.deep.equal({
      amount: 'Exceeds the transaction limit of 100.00',
    })
    expect(exceededLimit(9_999_999_999, [null, undefined])).to.equal(undefined)
  })
})
