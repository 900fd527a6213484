import { expect } from 'chai'
import {
  missingParts,
  type ProcessingStatus,
  statusAfterChange,
  statusRefusal,
} from '../../../src/domain/accounts/processing-status.js'

const complete = { legalEntity: true, owners: 1, bankAccounts: 1 }
const nothing = { legalEntity: false, owners: 0, bankAccounts: 0 }

describe('the computed status of a processing account', () => {
  it('is computed with the missing attributes, sorted as in the form', () => {
    expect(missingParts(nothing)).to.deep.equal(['legal entity', 'owner of the legal entity', 'bank account'])
    expect(missingParts({ ...complete, owners: 0 })).to.deep.equal(['owner of the legal entity'])
    expect(missingParts(complete)).to.deep.equal([])
  })

  const arrows: [ProcessingStatus | null, ProcessingStatus, ProcessingStatus][] = [
    [null, 'pending', 'incomplete'],
    ['incomplete', 'pending', 'incomplete'],
    ['pending', 'pending', 'incomplete'],
    ['action_needed', 'pending', 'incomplete'],
    ['resubmit', 'pending', 'incomplete'],
    ['active', 'active', 'active'],
    ['in_review', 'in_review', 'in_review'],
    ['inactive', 'inactive', 'inactive'],
  ]
  for (const [current, whenComplete, whenNot] of arrows) {
    it(`${current ?? 'a new one'} becomes ${whenComplete} when complete, else ${whenNot}`, () => {
      expect(statusAfterChange(current, complete)).to.equal(whenComplete)
      expect(statusAfterChange(current, { ...complete, bankAccounts: 0 })).to.equal(whenNot)
    })
  }

  it('is set by the operator, except what follows from the requirements', () => {
    expect(statusRefusal('pending', 'active', [])).to.equal(undefined)
    expect(statusRefusal('active', 'inactive', ['bank account'])).to.equal(undefined)
    expect(statusRefusal('active', 'pending', [])).to.equal('Cannot change from active to pending')
    expect(statusRefusal('incomplete', 'active', ['bank account'])).to.equal(
      'Cannot change from incomplete to active (missing: bank account)',
    )
    expect(statusRefusal('inactive', 'active', ['legal entity', 'bank account'])).to.equal(
      'Cannot change from inactive to active (missing: legal entity, bank account)',
    )
  })
})
