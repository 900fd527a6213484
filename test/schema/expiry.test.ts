import { expect } from 'chai'
import { isExpired } from '../../src/schema/card-brand.js'

describe('the expiry of a card', () => {
  it('comes when the month has ended everywhere on earth', () => {
    expect(isExpired('01/30', '2030-01-31 23:59:59')).to.equal(false)
    // Noon in London, and the last second of January on Baker Island.
    expect(isExpired('01/30', '2030-02-01 11:59:59')).to.equal(false)
    expect(isExpired('01/30', '2030-02-01 12:00:00')).to.equal(true)
    expect(isExpired('02/30', '2030-02-01 12:00:00')).to.equal(false)
  })

  it('compares years before months', () => {
    expect(isExpired('12/29', '2030-01-01 11:59:59')).to.equal(false)
    expect(isExpired('12/29', '2030-01-01 12:00:00')).to.equal(true)
    expect(isExpired('01/31', '2030-12-31 00:00:00')).to.equal(false)
  })
})
