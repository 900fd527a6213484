import { expect } from 'chai'
import { openCore, type TestCore } from '../../support/core.js'
import { onEachDatabase } from '../../support/databases.js'
import { story } from './story.js'

describe('verify', () => {
  onEachDatabase((open) => {
    let core: TestCore
    before(async () => {
      core = await openCore(open)
      await story(core)
    })

    it('has no findings in valid books', async () => {
      const { examined, found, findings } = await core.ok('GET', '/admin/verify')
      expect(findings).to.deep.equal([])
      expect(found).to.equal(0)
      expect(examined).to.be.above(20)
    })
  })
})
