import {
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { expect } from 'chai'
import { keyFilePath, readKeyFile } from '../../../src/engine/store/vault/key-file.js'
import { objectOf, valuesOf } from '../../support/core.js'
import { onSqlite } from '../../support/databases.js'
import { asOutsider } from '../../support/outsider.js'
import { backedUp, CARD, FORGED } from './backed-up.js'

/** The files of a folder, with their content. */
function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
  return Object.fromEntries(names.map(({ name }) => [name, readFileSync(join(folder, name), 'base64')]))
}

onSqlite((open) => {
  describe('payctl backup and restore, against attackers who can write to a backup or a database,', () => {
    it('refuse files of another backup or environment, and files of other kinds', async () => {
      const { place, other, folder, run, ok } = await backedUp(open)
      await ok(place, 'customers create --name Ada --env live')
      const later = join(other.home, 'later')
      await ok(place, `backup ${folder}`)
      await ok(place, `transactions pay --amount 2 ${CARD}`)
      await ok(place, `backup ${later}`)
      const before = filesIn(place.home)
      const refused = async (message: RegExp) => {
        for (const words of [`restore ${later} --verify`, `restore ${later} --confirm later`]) {
          const { exitCode, stdout, stderr } = await run(place, words)
          expect({ exitCode, stdout }, words).to.deep.equal({ exitCode: 1, stdout: '' })
          expect(stderr).to.match(message)
        }
        expect(filesIn(place.home)).to.deep.equal(before)
        cpSync(kept, later, { recursive: true, force: true })
      }
      const kept = join(other.home, 'kept')
      cpSync(later, kept, { recursive: true })
      copyFileSync(join(folder, 'test.db'), join(later, 'test.db'))
      await refused(/checksum differs/)
      copyFileSync(join(folder, 'backup.json'), join(later, 'backup.json'))
      await refused(/checksum differs/)
      copyFileSync(join(later, 'test.db'), join(later, 'live.db'))
      await refused(/checksum differs/)
      truncateSync(join(later, 'test.db'), 8_192)
      await refused(/checksum differs/)
      rmSync(join(later, 'test.db'))
      await refused(/test\.db is missing/)
      rmSync(join(later, 'test.db'))
      symlinkSync(join(kept, 'test.db'), join(later, 'test.db'))
      const { stderr } = await run(place, `restore ${later} --verify`)
      expect(stderr).to.include('test.db is no regular file')
      rmSync(join(later, 'test.db'))
      cpSync(kept, later, { recursive: true, force: true })
      const manifest = objectOf(JSON.parse(readFileSync(join(later, 'backup.json'), 'utf8')))
      const files = valuesOf({ values: manifest.files ?? [] })
      writeFileSync(join(later, 'backup.json'), JSON.stringify({ ...manifest, files: files.slice(0, 1) }))
      await refused(FORGED)
    })

    it('ignore a journal that lies beside a file of the backup, and leave the backup unchanged', async () => {
      const { place, folder, ok } = await backedUp(open)
      await ok(place, `backup ${folder}`)
      const copy = join(place.home, 'copy.db')
      copyFileSync(join(folder, 'test.db'), copy)
      const database = new BetterSqlite(copy)
      database.pragma('journal_mode = WAL')
      database.exec("update transactions set amount = amount * 10 where type = 'payment'")
      copyFileSync(`${copy}-wal`, join(folder, 'test.db-wal'))
      database.close()
      const before = filesIn(folder)
      expect(valuesOf(await ok(place, `restore ${folder} --verify`))[0]).to.include({ found: 0 })
      await ok(place, `restore ${folder} --yes`)
      expect(filesIn(folder)).to.deep.equal(before)
      expect(await ok(place, 'verify')).to.include({ found: 0 })
      expect(JSON.stringify(await ok(place, 'transactions list'))).to.include('29.99')
    })

    it('refuse the backup of another home, even if its manifest names the same keys', async () => {
      const { place, other, folder, run, ok } = await backedUp(open)
      await ok(place, `backup ${folder}`)
      await ok(other, `transactions pay --amount 1 ${CARD}`)
      const [ours, theirs] = [place, other].map(({ home }) => readKeyFile(keyFilePath(home)).current)
      const path = join(folder, 'backup.json')
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll(String(ours), String(theirs)))
      const { exitCode, stderr } = await run(other, `restore ${folder} --yes`)
      expect(exitCode).to.equal(1)
      expect(stderr).to.match(FORGED)
    })

    it('verify the books of a backup, and find forgeries from before it was made', async () => {
      const { place, folder, run, ok } = await backedUp(open)
      await asOutsider(place, "update transactions set amount = amount * 10 where type = 'payment'")
      await ok(place, `backup ${folder}`)
      const { exitCode, stdout } = await run(place, `restore ${folder} --verify --json`)
      expect(exitCode).to.equal(8)
      const [file] = valuesOf(objectOf(JSON.parse(stdout)))
      expect(file).to.include({ environment: 'test', restored: false })
      expect(JSON.stringify(file)).to.include('This transaction is not what was sealed last')
      expect(readdirSync(place.home).filter((name) => name.startsWith('restoring-'))).to.deep.equal([])
    })

    it('refuse to back up books that differ from the head recorded in the home', async () => {
      const { place, folder, run } = await backedUp(open)
      await asOutsider(place, 'delete from seal_log')
      const { exitCode, stderr } = await run(place, `backup ${folder}`)
      expect(exitCode).to.equal(1)
      expect(stderr).to.include('The sealed log of test is gone').and.include('nothing was backed up')
      expect(existsSync(join(folder, 'backup.json'))).to.equal(false)
    })

    it('seal a restore, which also works if the database and its head are missing', async () => {
      const { place, folder, run, ok, payment } = await backedUp(open)
      await ok(place, `backup ${folder}`)
      for (const name of readdirSync(place.home).filter((each) => each.startsWith('test.')))
        rmSync(join(place.home, name))
      expect((await run(place, `transactions get ${payment.id}`)).stderr).to.include('payctl restore')
      await ok(place, `restore ${folder}`)
      await ok(place, `transactions get ${payment.id}`)
      expect(await ok(place, 'verify')).to.include({ found: 0 })
      await asOutsider(place, "update books_acceptances set reason = 'other'")
      expect((await run(place, 'verify')).exitCode).to.equal(8)
    })

    it('restore a backup from before the first commit, and a backup under keys exported earlier', async () => {
      const place = await open.place()
      const { folder, keys, run, ok, variables } = await backedUp(open)
      // A refused write creates the home, but commits no data.
      await run(place, 'customers delete acct_none')
      await ok(place, `vault export ${keys}`, { variables })
      await ok(place, `backup ${folder}`)
      const payment = await ok(place, `transactions pay --amount 1 ${CARD}`)
      await ok(place, `backup ${folder}-2`)
      await ok(place, `restore ${folder} --yes`)
      expect((await run(place, `transactions get ${payment.id}`)).exitCode).to.equal(5)
      await ok(place, `transactions pay --amount 1 ${CARD}`)
      expect(await ok(place, 'verify')).to.include({ found: 0 })
      const fresh = await open.place()
      await ok(fresh, `vault import ${keys}`, { variables })
      await ok(fresh, `restore ${folder}-2`)
      await ok(fresh, `transactions get ${payment.id}`)
      expect(await ok(fresh, 'verify')).to.include({ found: 0 })
      expect((await run(fresh, 'doctor')).exitCode).to.equal(0)
    })
  })
})
