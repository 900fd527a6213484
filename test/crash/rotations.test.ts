import { randomInt } from 'node:crypto'
import { expect } from 'chai'
import { onDatabases } from '../support/databases.js'
import { killRotations } from './rotations.js'

describe('payctl vault rotate, killed under load', () => {
  onDatabases((open) => {
    it('keeps every number readable, and leaves none under an older key after a rotation ends', async () => {
      const seed = randomInt(2 ** 32)
      const { opened, problems } = await killRotations({ place: await open.place(), kills: 2, seed })
      expect(problems, `npm run long -- rotate-crash --kills 3 --seed ${seed}`).to.deep.equal([])
      expect(opened).to.be.above(0)
    })
  })
})
