import { randomInt } from 'node:crypto'
import { expect } from 'chai'
import { onDatabases } from '../support/databases.js'
import { crash } from './driver.js'

describe('payctl serve, killed under load', () => {
  onDatabases((open) => {
    it('keeps every acknowledged write, repeats none, and starts again without repair', async () => {
      const seed = randomInt(2 ** 32)
      const { known, problems } = await crash({ place: await open.place(), kills: 2, seed })
      expect(problems, `npm run long -- crash --kills 8 --seed ${seed}`).to.deep.equal([])
      expect(known.payments).not.to.have.length(0)
    })
  })
})
