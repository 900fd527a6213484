import { expect } from 'chai'
import { openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { booksSealed } from '../../support/outsider.js'
import { story } from './story.js'

describe('verify', () => {
  onDatabases('sql', (open) => {
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

    it('examines the rules of money and the sealed books apart, or together', async () => {
      // Sealing, which runs later on PostgreSQL, adds rows to the books.
      await booksSealed(core.place)
      const examinedBy = async (query: string) =>
        Number((await core.ok('GET', '/admin/verify', undefined, { query })).examined)
      const [rules, books] = [await examinedBy('only=rules'), await examinedBy('only=books')]
      expect(Math.min(rules, books)).to.be.above(0)
      expect(await examinedBy('')).to.equal(rules + books)
    })
  })
})
