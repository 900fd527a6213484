import { expect } from 'chai'
import fc from 'fast-check'
import { exceedsWhole, WHOLE } from '../../../src/domain/accounts/legal-entity-rule.js'

describe('shares of owners', () => {
  it('may be 100 % and no more', () => {
    expect(exceedsWhole([WHOLE])).to.equal(false)
    expect(exceedsWhole([WHOLE, 1])).to.equal(true)
    expect(exceedsWhole([])).to.equal(false)
    expect(exceedsWhole([null, WHOLE])).to.equal(false)
  })

  it('never exceed 100 % after rounding', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(WHOLE), { maxLength: 20 }), (cuts) => {
        const points = [0, ...cuts.toSorted((a, b) => a - b), WHOLE]
        const shares = points.slice(1).map((point, i) => point - (points[i] ?? 0))
        expect(exceedsWhole(shares)).to.equal(false)
        expect(exceedsWhole([...shares, 1])).to.equal(true)
      }),
    )
  })
})
