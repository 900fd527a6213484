import { expect } from 'chai'
import fc from 'fast-check'
import { refNumber } from '../../../../src/domain/payments/parties/ref-number.js'
import { timeOrderedIds } from '../../../../src/platform/ids.js'
import { systemRandom } from '../../../../src/platform/random.js'

describe('a reference number', () => {
  it('is four groups of four unambiguous letters, for any id', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^txn_[0-9A-Za-z]{22}$/), (id) => {
        expect(refNumber(id)).to.match(/^[2-9A-HJKMNP-TV-Z]{4}(-[2-9A-HJKMNP-TV-Z]{4}){3}$/)
      }),
    )
  })

  it('is the same for the same id and different for every other', () => {
    const ids = timeOrderedIds({ now: () => 1_900_000_000_000 }, systemRandom)
    const made = Array.from({ length: 2_000 }, () => ids.next('txn_'))
    expect(new Set(made.map(refNumber)).size).to.equal(made.length)
    expect(refNumber('txn_1')).to.equal(refNumber('txn_1'))
  })

  it('sorts by time', () => {
    let now = 1_800_000_000_000
    const ids = timeOrderedIds({ now: () => now++ }, systemRandom)
    const made = Array.from({ length: 1_000 }, () => refNumber(ids.next('txn_')))
    expect(made).to.deep.equal([...made].sort())
  })
})
