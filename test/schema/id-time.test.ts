import { expect } from 'chai'
import fc from 'fast-check'
import { timeOrderedIds } from '../../src/platform/ids.js'
import { systemRandom } from '../../src/platform/random.js'
import { timeOfId } from '../../src/schema/id-time.js'

describe('ids', () => {
  it('contain their time of creation, with any prefix', () => {
    const prefix = fc.constantFrom('txn_', 'op_', '')
    fc.assert(
      fc.property(prefix, fc.integer({ min: 1, max: Date.UTC(8000, 0, 1) }), (name, now) => {
        const ids = timeOrderedIds({ now: () => now }, systemRandom)
        expect([ids.next(name), ids.next(name)].map(timeOfId)).to.deep.equal([now, now])
      }),
    )
  })
})
