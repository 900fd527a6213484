import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { expect } from 'chai'
import { openFolder, paymentsCsv } from '../../support/batch-file.js'
import { listOf, objectOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { processingAccount } from '../../support/examples.js'
import { payctl, start } from './payctl.js'

const ROWS = 60
/** A row that fails in every run, so that each run also writes a file of failed rows. */
const BAD_ROW = 'none,card,4111111111111111,12/79,bad\n'

onDatabases((open) => {
  describe('a batch that several processes run at the same time', () => {
    it('pays every row once, and each process ends as if it ran alone', async () => {
      const place = await open.place()
      const folder = openFolder()
      open.atEnd(async () => folder.remove())
      const account = folder.write('account.json', JSON.stringify(processingAccount()))
      const made = await payctl(place, ['processing-accounts', 'create', '--data', account])
      expect(made.exitCode, made.stderr).to.equal(0)
      const file = folder.write('rows.csv', paymentsCsv(ROWS) + BAD_ROW)
      const gone = start(place, ['--version'])
      await once(gone, 'close')
      folder.write(
        `.rows.results.csv.${hostname()}.${gone.pid}.part`,
        'half of a file, from a killed process',
      )
      const runs = await Promise.all(
        [1, 2, 3].map(() => payctl(place, ['batch', 'run', file, '--as', 'payment'])),
      )
      for (const { exitCode, stderr } of runs) expect(exitCode, stderr).to.equal(8)
      const names = readdirSync(dirname(file)).filter((name) => name.includes('rows'))
      expect(names.sort()).to.deep.equal(['rows.csv', 'rows.failed.csv', 'rows.results.csv'])
      const [, ...results] = folder.read('rows.results.csv').trimEnd().split('\n')
      expect(results).to.have.length(ROWS + 1)
      expect(folder.read('rows.failed.csv')).to.contain(BAD_ROW)
      const { stdout } = await payctl(place, ['transactions', 'list', '--limit', '1000', '--json'])
      const amounts = listOf(objectOf(JSON.parse(stdout)).values).map((value) => objectOf(value).amount)
      expect(new Set(amounts).size).to.equal(ROWS)
      expect(amounts).to.have.length(ROWS)
    })
  })
})
