import { expect } from 'chai'
import { answersOf } from '../../simulation/answers.js'
import { type Databases, onPostgres } from '../support/databases.js'
import { inHome } from '../support/home.js'

const SEED = 20_261_121
const OPERATIONS = 600

/** A short version of `npm run long -- compare`. */
describe('the same random sequence of operations', () => {
  onPostgres((open: Databases) => {
    it('has byte for byte the same answers on both databases', async () => {
      const place = await open.place()
      const theirs = await answersOf(place, SEED, OPERATIONS)
      const ours = await inHome((home) => answersOf({ dialect: 'sqlite', home }, SEED, OPERATIONS))
      expect(ours).to.have.length.above(OPERATIONS * 0.8)
      expect(ours.find((answer, index) => answer !== theirs[index])).to.equal(undefined)
      expect(theirs).to.have.length(ours.length)
    })
  })
})
