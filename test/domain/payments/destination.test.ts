import { expect } from 'chai'
import { chooseDestination } from '../../../src/domain/payments/parties/find-destination.js'

const nothing = { requested: undefined, primary: undefined, scope: undefined }

describe('the destination of a payment', () => {
  it("is the named account, else the customer's primary account, else the key's only account", () => {
    const all = { requested: 'acct_asked', primary: 'acct_primary', scope: ['acct_only'] }
    expect(chooseDestination(all)).to.deep.equal({ kind: 'named', id: 'acct_asked' })
    expect(chooseDestination({ ...all, requested: null })).to.deep.equal({
      kind: 'named',
      id: 'acct_primary',
    })
    expect(chooseDestination({ ...all, requested: undefined, primary: null })).to.deep.equal({
      kind: 'named',
      id: 'acct_only',
    })
  })

  it("is the environment's default account for a key that is not narrowed", () => {
    expect(chooseDestination(nothing)).to.deep.equal({ kind: 'default' })
  })

  it('must be named by a key with several accounts or none', () => {
    expect(chooseDestination({ ...nothing, scope: ['a', 'b'] })).to.deep.equal({ kind: 'missing' })
    expect(chooseDestination({ ...nothing, scope: [] })).to.deep.equal({ kind: 'missing' })
  })
})
