import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { onDatabases } from '../../support/databases.js'
import { processingAccount } from '../../support/examples.js'
import { runFolder } from '../../support/run-folder.js'
import { lasting, typedShell } from '../../support/typed-shell.js'

const PAGE = new URL('../../../docs/scripting.md', import.meta.url)

onDatabases((open) => {
  describe('the page about scripts', () => {
    it('prints what it says when it is typed', async () => {
      const page = await readFile(PAGE, 'utf8')
      const place = await open.place()
      const folder = await mkdtemp(join(runFolder, 'scripts-'))
      await writeFile(join(folder, 'shop.json'), JSON.stringify(processingAccount()))
      const options = ['-euo', 'pipefail']
      let count = 0
      for await (const block of typedShell({ page, place, folder, options })) {
        count++
        expect(lasting(block.printed), block.script).to.equal(lasting(block.expected))
      }
      expect(count).to.be.at.least(8)
    })
  })
})
