import { expect } from 'chai'
import { keepHonestBooks } from '../../simulation/corruptions/honest-books.js'
import { measureCorruptions } from '../../simulation/corruptions/measure.js'
import { onDatabases } from '../support/databases.js'

/** Number of corruptions on each database; `npm run long` makes more. */
const SIZES = { sqlite: 36, postgres: 6 } as const

describe('books that an outsider has corrupted', () => {
  onDatabases((open) => {
    it('are distinguished from honest ones in at least four of five cases', async () => {
      const place = await open.place()
      await keepHonestBooks({ place, seed: 20_261_122, stories: 60 })
      const measured = await measureCorruptions({ place, seed: 1, size: SIZES[place.dialect] })
      expect(measured.length).to.equal(SIZES[place.dialect])
      const unseen = measured.filter(({ found }) => found === undefined)
      expect(unseen.length, unseen.map(({ what }) => what).join('\n')).to.be.at.most(measured.length / 5)
    })
  })
})
