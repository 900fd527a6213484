import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { type Databases, onEachDatabase, type Place } from '../../support/databases.js'
import { asOutsider } from '../../support/outsider.js'
import { payctl } from './payctl.js'

const SEALED_EVENTS = '0015_sealed_events'

describe('payctl migrate', () => {
  onEachDatabase((open) => {
    it('is what a large database of an older version needs', async () => {
      const place = await older(open)
      await enlarge(place)
      const run = async (words: string) => await payctl(place, words.split(' '))
      for (const words of ['transactions list', 'serve --port 0', 'verify']) {
        const { exitCode, stdout, stderr } = await run(words)
        expect({ exitCode, stdout }, words).to.deep.equal({ exitCode: 1, stdout: '' })
        expect(stderr).to.match(
          /has the schema of an older payctl; stop payctl everywhere and bring it to this one, which may take 1 minute and 1\d\d MB of disk: payctl migrate --backup <folder>/,
        )
      }
      const undecided = await run('migrate')
      expect(undecided).to.include({ exitCode: 2, stdout: '' })
      expect(undecided.stderr).to.match(
        /lacks 1 migration, which may take .* add --backup <folder>, or --no-backup if you have one/,
      )

      const folder = join(place.home, 'before-upgrade')
      const backedUp = await run(`migrate --backup ${folder} --json`)
      if (place.dialect === 'postgres') {
        expect(backedUp).to.include({ exitCode: 2, stdout: '' })
        expect(backedUp.stderr).to.include('use pg_dump')
      }
      const done = place.dialect === 'postgres' ? await run('migrate --no-backup --json') : backedUp
      expect(done.exitCode, done.stderr).to.equal(0)
      expect(JSON.parse(done.stdout)).to.deep.include({ migrations: [SEALED_EVENTS] })
      expect(existsSync(join(folder, 'backup.json'))).to.equal(place.dialect === 'sqlite')

      expect(await run('verify')).to.include({ exitCode: 0 })
      const again = await run('migrate --json')
      expect(again.exitCode).to.equal(0)
      expect(JSON.parse(again.stdout)).to.deep.include({ databases: [], migrations: [] })
    })

    it('is not needed for a small one', async () => {
      const place = await older(open)
      expect(await payctl(place, ['verify'])).to.include({ exitCode: 0 })
    })
  })
})

/** A database that lacks a migration which reads all rows of a table. */
async function older(open: Databases): Promise<Place> {
  const place = await open.migrated()
  await asOutsider(place, `delete from migrations where name = '${SEALED_EVENTS}'`)
  return place
}

async function enlarge(place: Place): Promise<void> {
  const size = 140_000_000
  await asOutsider(place, 'create table large (content text)')
  if (place.dialect === 'postgres')
    await asOutsider(place, 'alter table large alter column content set storage external')
  const content = place.dialect === 'postgres' ? `repeat('x', ${size})` : `zeroblob(${size})`
  await asOutsider(place, `insert into large (content) values (${content})`)
}
