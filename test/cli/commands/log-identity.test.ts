import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { keyFilePath, readKeyFile } from '../../../src/engine/store/vault/key-file.js'
import { writeKeyring } from '../../../src/engine/store/vault/keyring.js'
import { objectOf, valuesOf } from '../../support/core.js'
import { onDatabases, onPostgres, onSqlite, type Place } from '../../support/databases.js'
import { asOutsider, booksSealed } from '../../support/outsider.js'
import { payctl } from './payctl.js'

const PAY = 'transactions pay --amount 5 --card 4242424242424242 --expiry 12/39 --json'

async function run(place: Place, words: string) {
  return await payctl(place, words.split(' '))
}

async function ok(place: Place, words: string): Promise<{ readonly [name: string]: unknown }> {
  const { exitCode, stdout, stderr } = await run(place, words)
  expect(exitCode, stderr).to.equal(0)
  return objectOf(JSON.parse(stdout))
}

/** Takes payments in a new place. */
async function used(place: Place): Promise<Place> {
  for (let count = 0; count < 2; count++) await ok(place, PAY)
  await booksSealed(place)
  return place
}

function logOf({ home }: Place, environment = 'test'): string | undefined {
  return readKeyFile(keyFilePath(home)).logs.get(environment)
}

/** The files of a home, with their content. */
function filesOf({ home }: Place): Record<string, string> {
  const names = readdirSync(home, { withFileTypes: true }).filter((entry) => entry.isFile())
  return Object.fromEntries(
    names.map(({ name }) => [name, readFileSync(join(home, name)).toString('base64')]),
  )
}

/** Server and database of an address, without user and password. */
function shownAddress(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl)
  return host + pathname
}

function removeHead({ home }: Place): void {
  rmSync(join(home, 'test.head'))
}

/**
 * Expects `verify` and `doctor` to report a problem without changing a file, and `serve` to refuse to start.
 */
async function expectNoticed(place: Place, problem: RegExp, ways = waysIn(place)) {
  const before = filesOf(place)
  const verified = await run(place, 'verify --json')
  expect(verified.exitCode, verified.stderr).to.equal(8)
  expect(verified.stdout).to.match(problem)
  const examined = await run(place, 'doctor --json')
  expect(examined.exitCode).to.equal(8)
  const failed = valuesOf(objectOf(JSON.parse(examined.stdout))).filter(({ state }) => state === 'failed')
  expect(failed.map(({ found }) => String(found)).join()).to.match(problem)
  expect(failed.map(({ fix }) => fix)).to.include(
    place.dialect === 'sqlite'
      ? 'payctl restore <folder> --yes'
      : 'pg_restore --clean --if-exists --dbname="$PAYCTL_DATABASE_URL" <file>',
  )
  expect(filesOf(place)).to.deep.equal(before)
  const served = await run(place, 'serve --port 0')
  expect(served.exitCode).to.equal(1)
  expect(served.stderr).to.match(problem).and.match(ways)
  expect(logOf(place)).to.equal(readKeyringText(before)['test'])
}

/** Ways out that the error for different books names. */
function waysIn({ dialect }: Place): RegExp {
  return dialect === 'sqlite'
    ? /\(payctl restore\).*payctl books accept/
    : /\(pg_restore\).*payctl books accept/
}

function readKeyringText(files: Record<string, string>): Record<string, string> {
  const text = Buffer.from(files['payctl.key'] ?? '', 'base64').toString()
  return Object.fromEntries(
    Object.entries(objectOf(objectOf(JSON.parse(text)).logs)).map(([name, log]) => [name, String(log)]),
  )
}

const SEAL_TABLES = ['seal_log', 'seal_queue', 'checkpoints', 'books_acceptances']
const DROP_SEALS = SEAL_TABLES.map((table) => `drop table ${table}`)
const RESTORE = /restore it from a backup/

onDatabases((open) => {
  describe('a sealed log recorded in the key file', () => {
    it('is the log that began with the first commit', async () => {
      const place = await open.place()
      expect((await run(place, 'verify')).exitCode).to.equal(0)
      await ok(place, PAY)
      const log = logOf(place)
      expect(log).to.match(/^[0-9a-f]{64}$/)
      await used(place)
      expect(logOf(place)).to.equal(log)
      expect(await ok(place, 'verify --json')).to.include({ found: 0 })
    })

    it('is reported missing if its commits are deleted with the head', async () => {
      const place = await used(await open.place())
      await asOutsider(place, 'delete from seal_log', 'delete from checkpoints')
      removeHead(place)
      await expectNoticed(place, /The sealed log of test is gone/)
      const paid = await run(place, PAY)
      expect(paid.exitCode).to.equal(9)
      expect(paid.stderr).to.match(/sealed/)
    })

    it('is reported missing if its tables are dropped', async () => {
      const place = await used(await open.place())
      await asOutsider(place, ...DROP_SEALS)
      removeHead(place)
      await expectNoticed(place, /lacks the tables seal_log/, RESTORE)
    })

    it('cannot begin again over forged books whose migration record was deleted', async () => {
      const place = await used(await open.place())
      await asOutsider(
        place,
        ...DROP_SEALS,
        'delete from migrations',
        'update transactions set amount = amount * 10',
      )
      removeHead(place)
      await expectNoticed(place, /no record of the migrations/, RESTORE)
      expect((await run(place, PAY)).exitCode).to.equal(1)
    })

    it('is distinguished from another log', async () => {
      const place = await used(await open.place())
      await asOutsider(place, `update seal_log set hash = '${'0'.repeat(64)}' where id = 1`)
      await expectNoticed(place, /The sealed log of test is another one/)
    })

    it('is reported missing if the whole database is deleted with the head', async () => {
      const place = await used(await open.place())
      if (place.dialect === 'postgres') await asOutsider(place, 'drop schema payctl_test cascade')
      else for (const end of ['', '-wal', '-shm']) rmSync(join(place.home, `test.db${end}`), { force: true })
      removeHead(place)
      await expectNoticed(place, /gone/)
      const { exitCode, stderr } = await run(place, 'customers list')
      expect(exitCode).to.equal(1)
      const beginning = 'error: The books of test are gone: the key file knows them, and'
      const end = `or accept the books as they are: payctl books accept --env test --reason <text>\n`
      expect(stderr).to.equal(
        place.databaseUrl === undefined
          ? `${beginning} the SQLite file ${join(place.home, 'test.db')} does not hold them. If this home belongs to a PostgreSQL database, its address is missing: set PAYCTL_DATABASE_URL. Otherwise the database was lost or replaced; restore a backup (payctl restore), ${end}`
          : `${beginning} PostgreSQL at ${shownAddress(place.databaseUrl)} does not hold them. If this home belongs to another database, correct PAYCTL_DATABASE_URL, or unset it for SQLite. Otherwise the database was lost or replaced; restore a backup (pg_restore), ${end}`,
      )
      expect(existsSync(join(place.home, 'test.db'))).to.equal(false)

      const before = logOf(place)
      expect(String((await ok(place, 'books accept --reason lost --json')).problem)).to.match(/is gone/)
      expect(logOf(place))
        .to.match(/^[0-9a-f]{64}$/)
        .and.not.equal(before)
      await used(place)
      expect(await ok(place, 'verify --json')).to.include({ found: 0 })
      await asOutsider(place, 'delete from books_acceptances')
      expect((await run(place, 'verify')).exitCode).to.equal(8)
    })

    it('is recorded only by a writing command, for a key file older than the first commit', async () => {
      const place = await used(await open.place())
      const path = keyFilePath(place.home)
      const log = logOf(place)
      const { logs: _, ...before } = objectOf(JSON.parse(readFileSync(path, 'utf8')))
      writeFileSync(path, JSON.stringify(before))
      expect(await ok(place, 'verify --json')).to.include({ found: 0 })
      expect((await run(place, 'doctor')).exitCode).to.equal(0)
      expect(logOf(place)).to.equal(undefined)
      await used(place)
      expect(logOf(place)).to.equal(log)
    })

    it('is recorded once by processes that begin it at the same time', async () => {
      const place = await open.place()
      await run(place, 'customers delete acct_none')
      const apart = { input: '' }
      const paid = await Promise.all(
        Array.from({ length: 5 }, () => payctl(place, [...PAY.split(' '), '--env', 'test'], apart)),
      )
      expect(paid.map(({ exitCode, stderr }) => `${exitCode} ${stderr}`)).to.deep.equal(paid.map(() => '0 '))
      await booksSealed(place)
      expect(logOf(place)).to.match(/^[0-9a-f]{64}$/)
      expect(await ok(place, 'verify --json')).to.include({ found: 0 })
      expect(readdirSync(place.home).filter((name) => name.startsWith('payctl.key'))).to.deep.equal([
        'payctl.key',
      ])
    })

    it('stays in the key file after a rotation, and after exporting and importing keys', async () => {
      const place = await used(await open.place())
      const log = logOf(place)
      const { current } = readKeyFile(keyFilePath(place.home))
      await ok(place, `vault rotate --confirm ${current} --json`)
      await ok(place, `vault forget ${current} --yes --json`)
      expect(logOf(place)).to.equal(log)
      const exported = join(place.home, 'exported')
      const variables = { PAYCTL_PASSPHRASE: 'correct horse battery staple' }
      await payctl(place, ['vault', 'export', exported], { variables })
      rmSync(keyFilePath(place.home))
      expect((await payctl(place, ['vault', 'import', exported], { variables })).exitCode).to.equal(0)
      expect(logOf(place)).to.equal(log)
      expect(await ok(place, 'verify --json')).to.include({ found: 0 })
    })
  })

  describe('payctl verify', () => {
    it('reports that the last migration record is missing', async () => {
      const place = await used(await open.place())
      await asOutsider(place, 'delete from migrations')
      const { exitCode, stdout, stderr } = await run(place, 'verify')
      expect({ exitCode, stderr }).to.deep.equal({ exitCode: 8, stderr: '' })
      expect(stdout).to.include('no record of the migrations that made them')
      await expectNoticed(place, /no record of the migrations/, RESTORE)
    })

    it('names missing tables and columns, and skips all other checks then', async () => {
      const place = await used(await open.place())
      await asOutsider(place, 'drop table invoices', 'alter table events drop column value')
      const { exitCode, stdout, stderr } = await run(place, 'verify --json')
      expect({ exitCode, stderr }).to.deep.equal({ exitCode: 8, stderr: '' })
      expect(stdout).to.include('It lacks: table invoices').and.include('It lacks: column events.value')
      expect(stdout).to.include('Nothing else could be checked without them')
      expect((await run(place, 'doctor')).exitCode).to.equal(8)
    })

    it('finds deleted checkpoints', async () => {
      const place = await used(await open.place())
      await asOutsider(place, 'delete from checkpoints')
      const { exitCode, stdout } = await run(place, 'verify --json')
      expect(exitCode).to.equal(8)
      expect(stdout).to.include('No checkpoint is left')
      expect((await run(place, 'doctor')).exitCode).to.equal(8)
    })

    it('creates no files and runs no migrations', async () => {
      const place = await open.place()
      expect(await ok(place, 'verify --json')).to.include({ examined: 0, found: 0 })
      expect(readdirSync(place.home)).to.deep.equal([])
    })
  })
})

onSqlite((open) => {
  describe('a home that has recorded a sealed log', () => {
    it('reports a missing head file, and a log that was started again', async () => {
      const place = await used(await open.place())
      removeHead(place)
      await expectNoticed(place, /The head file \S+ is missing/)
      const fresh = await used(await open.place())
      const empty = await open.migrated()
      copyFileSync(join(empty.home, 'test.head'), join(fresh.home, 'test.head'))
      await expectNoticed(fresh, /The head file \S+ was begun anew/)
    })

    it('refuses a log of another environment, even as its first', async () => {
      const place = await used(await open.place())
      for (const end of ['db', 'head'])
        copyFileSync(join(place.home, `test.${end}`), join(place.home, `live.${end}`))
      const verified = await run(place, 'verify --env live --json')
      expect(verified.exitCode).to.equal(8)
      expect(verified.stdout).to.include('The sealed log of live was not begun there with this key file')
      expect((await run(place, 'serve --port 0')).exitCode).to.equal(1)
      expect(logOf(place, 'live')).to.equal(undefined)
    })
  })
})

onPostgres((open) => {
  describe('a database that several homes serve', () => {
    it('has one log, which each home records with its first commit', async () => {
      const place = await open.place()
      await run(place, 'customers list')
      const other = { ...place, home: (await open.place()).home }
      const before = readKeyFile(keyFilePath(place.home))
      writeFileSync(keyFilePath(other.home), writeKeyring({ ...before, logs: new Map() }), { mode: 0o600 })
      await used(place)
      expect(await ok(other, 'verify --json')).to.include({ found: 0 })
      expect(logOf(other)).to.equal(undefined)
      await used(other)
      expect(logOf(other)).to.equal(logOf(place))
      await asOutsider(place, 'delete from seal_log', 'delete from checkpoints')
      for (const each of [place, other]) await expectNoticed(each, /The sealed log of test is gone/)
    })
  })
})

onPostgres((open) => {
  describe('a home with books in PostgreSQL', () => {
    it('names the database without its books, and both causes, but no password', async () => {
      const place = await used(await open.place())
      const { home } = place
      const files: Place = { dialect: 'sqlite', home }
      await expectNoticed(files, /the SQLite file \S+test\.db does not hold them.*set PAYCTL_DATABASE_URL/)
      const { databaseUrl = '' } = await open.place()
      const url = new URL(databaseUrl)
      url.password = 'secret-word'
      const other = { ...place, databaseUrl: url.href }
      const problem = new RegExp(
        `PostgreSQL at ${shownAddress(databaseUrl)} does not hold them.*correct PAYCTL_DATABASE_URL`,
      )
      await expectNoticed(other, problem)
      for (const words of ['verify', 'doctor', 'customers list']) {
        const { stdout, stderr } = await run(other, words)
        expect(stdout + stderr)
          .to.include('does not hold')
          .and.not.include('secret-word')
      }
      expect(await ok(place, 'verify --json')).to.include({ found: 0 })
    })
  })
})
