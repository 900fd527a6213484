import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { onDatabases } from '../../support/databases.js'
import { asOutsider } from '../../support/outsider.js'
import { payctl } from './payctl.js'

describe('payctl migrate', () => {
  onDatabases((open) => {
    it('has no migrations to run for a database of this version', async () => {
      const place = await open.migrated()
      const { exitCode, stdout } = await payctl(place, ['migrate', '--json'])
      expect(exitCode).to.equal(0)
      expect(JSON.parse(stdout)).to.deep.equal({
        object: 'migration',
        databases: [],
        migrations: [],
        backup: null,
      })
      expect(await payctl(place, ['verify'])).to.include({ exitCode: 0 })
    })

    it('says that no backup was made if no database lacks a migration', async () => {
      const place = await open.migrated()
      const folder = join(place.home, 'before')
      const said = await payctl(place, ['migrate', '--backup', folder])
      expect(said).to.include({
        exitCode: 0,
        stderr: 'No backup was made, because no database lacks a migration.\n',
      })
      const { stdout } = await payctl(place, ['migrate', '--backup', folder, '--json'])
      expect(JSON.parse(stdout)).to.include({ backup: null })
      expect(existsSync(folder)).to.equal(false)
    })

    it('refuses a database from before the first release, which verify reports', async () => {
      const place = await open.migrated()
      await asOutsider(place, "update migrations set name = '0001_first'")
      for (const words of ['migrate', 'transactions list', 'serve --port 0']) {
        const { exitCode, stdout, stderr } = await payctl(place, words.split(' '))
        expect({ exitCode, stdout }, words).to.deep.equal({ exitCode: 1, stdout: '' })
        expect(stderr.replaceAll(/\s+/g, ' ')).to.match(
          /has a layout from before the first release; name a new home in PAYCTL_HOME or a new database, or install the version that made it/,
        )
      }
      const found = await payctl(place, ['verify', '--json'])
      expect(found.exitCode).to.equal(8)
      expect(found.stdout).to.include('has a layout from before the first release')
    })
  })
})
