import { lookup } from 'node:dns/promises'
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { onPostgres, type Place } from '../../support/databases.js'
import { inHome } from '../../support/home.js'
import { freePort, GUARDED } from '../../support/postgres-server.js'
import { payctl } from './payctl.js'
import { expectRefused, expectWritesRefused, type Refused } from './refused.js'

const UNEXPECTED = 1
const UNAVAILABLE = 9

onPostgres((open) => {
  describe('payctl on an unusable PostgreSQL server', () => {
    let used: Place & { readonly databaseUrl: string }
    before(async () => {
      const { databaseUrl = '', ...place } = await open.place()
      used = { ...place, databaseUrl }
      await payctl(used, ['customers', 'create', '--name', 'Ada'])
      await payctl({ ...used }, ['customers', 'list', '--env', 'live'])
      await run(databaseUrl, `create role ${GUARDED} login superuser password 'right'`)
    })

    /** Address of the used database, changed by a function. */
    const at = (change: (url: URL) => void) => {
      const url = new URL(used.databaseUrl)
      change(url)
      return { home: used.home, databaseUrl: url.href }
    }
    const shown = ({ databaseUrl }: { databaseUrl: string }) => {
      const { host, pathname } = new URL(databaseUrl)
      return host + pathname
    }
    const refuses = (place: { databaseUrl: string }, reason: string): Refused => ({
      exitCode: UNEXPECTED,
      sentence: `PostgreSQL at ${shown(place)} refuses the user or the database (${reason}); fix PAYCTL_DATABASE_URL or grant access.`,
    })

    for (const host of ['127.0.0.1', 'localhost'])
      it(`reports that no server listens on ${host}`, async () => {
        const port = await freePort()
        const place = at((url) => Object.assign(url, { hostname: host, port: String(port) }))
        const found = await lookup(host, { all: true, order: 'verbatim' })
        const reasons = found.map(({ address }) => `connect ECONNREFUSED ${address}:${port}`)
        await expectRefused(place, {
          exitCode: UNAVAILABLE,
          sentence: `PostgreSQL cannot be reached at ${shown(place)} (${reasons.join(', ')}); start it or fix PAYCTL_DATABASE_URL.`,
        })
      })

    it('reports a wrong password', async () => {
      const place = at((url) => Object.assign(url, { username: GUARDED, password: 'wrong' }))
      await expectRefused(place, refuses(place, `password authentication failed for user "${GUARDED}"`))
    })

    it('reports a missing password', async () => {
      const place = at((url) => Object.assign(url, { username: GUARDED }))
      await expectRefused(place, refuses(place, 'the server requires a password, and none is given'))
    })

    it('works with the right password', async () => {
      const place = at((url) => Object.assign(url, { username: GUARDED, password: 'right' }))
      await payctlSucceeds(place, ['customers', 'list', '--json'])
    })

    for (const setting of ['standard_conforming_strings=off', 'quote_all_identifiers=on'])
      it(`keeps the books complete for a user with ${setting}`, async () => {
        const place = at((url) => url.searchParams.set('options', `-c ${setting}`))
        await payctlSucceeds(place, ['customers', 'create', '--name', 'Grace', '--json'])
        await payctlSucceeds(place, ['verify'])
      })

    it('migrates a database even if its user has a short statement timeout', async () => {
      const { home, databaseUrl = '' } = await open.place()
      await run(
        databaseUrl,
        `create function expect_time() returns event_trigger language plpgsql as $$
           begin
             if exists (select from pg_settings where setting <> '0' and name in
               ('statement_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout'))
             then raise exception 'It may be ended'; end if;
           end $$;
         create event trigger expect_time on ddl_command_end execute function expect_time()`,
      )
      const place = {
        home,
        databaseUrl: `${databaseUrl}&options=${[
          'statement_timeout',
          'transaction_timeout',
          'idle_in_transaction_session_timeout',
        ]
          .map((name) => `-c%20${name}%3D1min`)
          .join('%20')}`,
      }
      await payctlSucceeds(place, ['customers', 'list', '--json'])
    })

    it('reports an unknown user', async () => {
      const place = at((url) => Object.assign(url, { username: 'nobody' }))
      await expectRefused(place, refuses(place, 'role "nobody" does not exist'))
    })

    it('reports an unknown database', async () => {
      const place = at((url) => Object.assign(url, { pathname: '/no_such_database' }))
      await expectRefused(place, refuses(place, 'database "no_such_database" does not exist'))
    })

    it('reports an encoding of a new database that cannot store every letter', async () => {
      await run(
        used.databaseUrl,
        `create database latin encoding 'LATIN1' locale_provider libc locale 'C' template template0`,
      )
      const place = at((url) => Object.assign(url, { pathname: '/latin' }))
      await expectRefused(place, {
        exitCode: UNEXPECTED,
        sentence: `The new database at ${shown(place)} has the encoding LATIN1, which lacks letters; create it with encoding UTF8.`,
      })
    })

    it('reports that the server lacks the encryption that the address requires', async () => {
      const place = at((url) => url.searchParams.set('sslmode', 'verify-full'))
      await expectRefused(place, {
        exitCode: UNEXPECTED,
        sentence: `PostgreSQL at ${shown(place)} cannot be used (The server does not support SSL connections); fix PAYCTL_DATABASE_URL or that server.`,
      })
    })

    it('reports an invalid address', () =>
      expectRefused(
        { home: used.home, databaseUrl: 'mysql://127.0.0.1/payctl' },
        {
          exitCode: UNEXPECTED,
          sentence: 'PAYCTL_DATABASE_URL is no address of PostgreSQL; write postgres://user@host/database',
        },
      ))

    it('reports a password that is not encoded, without a part of it', () =>
      expectRefused(
        { home: used.home, databaseUrl: 'postgres://payctl:4321/word@127.0.0.1/payctl' },
        {
          exitCode: UNEXPECTED,
          sentence:
            'PAYCTL_DATABASE_URL has an @ after the server; in a password, write / as %2F and @ as %40',
        },
      ))

    it('reports a read-only database, and still reads it', async () => {
      const place = at((url) => url.searchParams.set('options', '-c default_transaction_read_only=on'))
      await expectWritesRefused(place, {
        exitCode: UNEXPECTED,
        sentence: `PostgreSQL at ${shown(place)} is read-only; name its primary server in PAYCTL_DATABASE_URL.`,
      })
    })

    it('reports the missing key file of a used database, and creates none', () =>
      inHome(async (home) => {
        const sentence = `The key file ${home}/payctl.key is missing; restore it from your backup of it, for what it sealed cannot be read without.`
        await expectRefused({ ...used, home }, { exitCode: UNEXPECTED, sentence })
      }))

    it('reports a key file that others can read', async () => {
      const key = join(used.home, 'payctl.key')
      chmodSync(key, 0o640)
      const sentence = `The key file ${key} is open to other users; run: chmod 600 ${key}`
      await expectRefused(used, { exitCode: UNEXPECTED, sentence })
      chmodSync(key, 0o600)
    })

    it('reports that the home of a new database is a file', () =>
      inHome(async (parent) => {
        const { databaseUrl = '' } = await open.place()
        const home = join(parent, 'file')
        writeFileSync(home, '')
        const sentence = `There can be no key file at ${home}/payctl.key; name a folder for it in PAYCTL_HOME.`
        await expectRefused({ home, databaseUrl }, { exitCode: UNEXPECTED, sentence })
        rmSync(home)
      }))

    it('reports a database from a newer version', async () => {
      await run(used.databaseUrl, `insert into payctl_test.migrations (name) values ('9999_future')`)
      const sentence = `The database ${shown(used)} was made by a newer payctl (9999_future); install that version to use it.`
      await expectRefused(used, { exitCode: UNEXPECTED, sentence })
    })
  })
})

async function payctlSucceeds(
  place: { home: string; databaseUrl: string },
  command: readonly string[],
): Promise<void> {
  const { exitCode, stdout, stderr } = await payctl(place, [...command])
  if (exitCode !== 0) throw new Error(`It was expected to succeed: ${stderr}${stdout}`)
}

async function run(databaseUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
