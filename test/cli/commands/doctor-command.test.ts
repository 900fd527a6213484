import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { expect } from 'chai'
import { sql } from 'kysely'
import { using } from '../../../src/engine/store/database/raw-use.js'
import type { Tx } from '../../../src/engine/store/database/store.js'
import { openStore } from '../../../src/engine/store/open-store.js'
import { systemClock } from '../../../src/platform/clock.js'
import { timeOrderedIds } from '../../../src/platform/ids.js'
import { systemRandom } from '../../../src/platform/random.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { objectOf, valuesOf } from '../../support/core.js'
import { onDatabases, onPostgres, onSqlite, type Place } from '../../support/databases.js'
import { asOutsider } from '../../support/outsider.js'
import { payctl } from './payctl.js'

const HOUR = 3_600_000

/** The problems that doctor reports, and its exit code. */
async function unwell(place: Place): Promise<{ exitCode: number | null; found: JsonObject[] }> {
  const { exitCode, stdout, stderr } = await payctl(place, ['doctor', '--json'])
  expect(stderr).to.equal('')
  const found = valuesOf(objectOf(JSON.parse(stdout)))
  expect(found.length).to.be.at.least(4)
  return { exitCode, found: found.filter(({ state }) => state !== 'ok') }
}

/** Stores a posting of an unknown transaction, with checks of foreign keys off. */
async function bookNowhere(place: Place): Promise<void> {
  const insert = `insert into postings (id, transaction_id, processing_id, currency, from_account, to_account, amount, created_at)
    values ('pst_1', 'txn_gone', 'acct_1', 'USD', 'cash', 'fee_income', 1, '2031-01-01')`
  if (place.dialect === 'postgres')
    return await write(place, async ({ any }) => {
      await using({ reads: [], schema: true }, sql`set local session_replication_role = replica`).execute(any)
      await using({ reads: [] }, sql`${sql.raw(insert)}`).execute(any)
    })
  const database = new BetterSqlite(join(place.home, 'test.db'))
  database.pragma('foreign_keys = OFF')
  database.exec(insert)
  database.close()
}

async function write(place: Place, work: (tx: Tx) => Promise<unknown>): Promise<void> {
  const store = await openStore({ ...place, environment: 'test', random: systemRandom })
  await store.write(work)
  await store.close()
}

/** An id created this number of milliseconds from now. */
function idAt(offset: number, prefix: string): string {
  return timeOrderedIds({ now: () => systemClock.now() + offset }, systemRandom).next(prefix)
}

onDatabases((open) => {
  describe('payctl doctor before first use', () => {
    it('finds no problem in an empty database', async () => {
      const { exitCode, found } = await unwell(await open.place())
      expect({ exitCode, found }).to.deep.equal({ exitCode: 0, found: [] })
    })
  })
})

onDatabases((open) => {
  describe('payctl doctor', () => {
    let place: Place
    beforeEach(async () => {
      place = await open.place()
      await payctl(place, [
        'transactions',
        'pay',
        '--amount',
        '5',
        '--card',
        '4242424242424242',
        '--expiry',
        '12/39',
      ])
    })

    it('finds no problem in a healthy installation', async () => {
      const { exitCode, found } = await unwell(place)
      expect(found.filter(({ check }) => check !== 'disk' && check !== 'live migrations')).to.deep.equal([])
      expect(exitCode).to.equal(0)
    })

    it('finds a clock that is behind, and waiting transactions and notifications', async () => {
      await write(place, async ({ db }) => {
        const paid = await db.selectFrom('transactions').selectAll().executeTakeFirstOrThrow()
        const waiting = { ...paid, id: idAt(-HOUR, 'txn_'), ref_number: 'OTHER', pending_operation: 'sale' }
        await db.insertInto('transactions').values(waiting).execute()
        const event = { trigger: 'transaction.created', object: 'transaction', object_id: 'txn_1' }
        const nothing = { value: null, processing_id: null }
        const made = { principal_id: 'operator', created_at: '2030-01-01 00:00:00' }
        const id = idAt(HOUR, 'evt_')
        await db
          .insertInto('events')
          .values({ id, ...event, ...nothing, ...made })
          .execute()
        const delivery = { id: 'dlv_1', event_id: id, webhook_id: 'hook_1', waiting: 'hook_1', due_at: 1 }
        await db
          .insertInto('deliveries')
          .values({ ...delivery, lease: null, attempts: 0, outcome: null })
          .execute()
      })
      const { exitCode, found } = await unwell(place)
      expect(exitCode).to.equal(8)
      const stuck = found.find(({ check }) => check === 'test transactions')
      expect(stuck).to.include({ state: 'failed' })
      expect(found.find(({ check }) => check === 'test clock')).to.include({ state: 'failed' })
      expect(found.find(({ check }) => check === 'test webhooks')).to.include({ fix: 'payctl serve' })
      expect(String(stuck?.fix)).to.match(/^payctl transactions explain txn_\w{22} --env test$/)
    })

    it('warns of client keys that are valid for any origin', async () => {
      const make = async (data: object) =>
        await payctl(place, ['access-tokens', 'create', '--env', 'live', '--data', '-'], {
          input: JSON.stringify(data),
        })
      expect((await make({ origins: ['https://shop.example'] })).exitCode).to.equal(0)
      const warningOf = async () =>
        (await unwell(place)).found.find(({ check }) => check === 'live client keys')
      expect(await warningOf()).to.equal(undefined)
      expect((await make({ intent: { amount: 5 } })).exitCode).to.equal(0)
      expect(await warningOf()).to.include({
        state: 'warning',
        found: '1 without origins work in any page',
        fix: 'payctl access-tokens list --env live',
      })
    })

    it('warns that requests were refused', async () => {
      await payctl(place, ['maintenance', 'on'])
      const { exitCode, found } = await unwell(place)
      expect(exitCode).to.equal(0)
      const said = found.find(({ check }) => check === 'test maintenance')
      expect(said).to.include({ state: 'warning', fix: 'payctl maintenance off --env test' })
    })

    it('reports a key file that is missing or readable by others', async () => {
      const key = join(place.home, 'payctl.key')
      chmodSync(key, 0o644)
      const { exitCode, found } = await unwell(place)
      expect(exitCode).to.equal(8)
      expect(found.map(({ fix }) => fix)).to.include(`chmod 600 ${key}`)
      rmSync(key)
      const gone = (await unwell(place)).found.find(({ check }) => check === 'key file')
      expect(gone).to.include({ state: 'failed', fix: 'payctl vault import <file>' })
    })

    it('finds a missing index and dangling references', async () => {
      await bookNowhere(place)
      const broken = await unwell(place)
      expect(broken.exitCode).to.equal(8)
      expect(broken.found.find(({ check }) => check === 'test schema')).to.include({
        state: 'failed',
        found: 'transaction_id of pst_1 in postings is txn_gone, which does not exist',
        fix: 'payctl verify --env test',
      })
      await write(place, ({ any }) =>
        using({ reads: [], schema: true }, sql`drop index transactions_by_ref_number`).execute(any),
      )
      const lacking = await unwell(place)
      expect(lacking.exitCode).to.equal(8)
      expect(lacking.found.find(({ check }) => check === 'test schema')).to.include({
        state: 'failed',
        found: 'It lacks: unique index transactions(ref_number)',
      })
    })

    it('finds the draft of a key left by a killed start', async () => {
      const draft = join(place.home, 'payctl.key.4321')
      writeFileSync(draft, '', { mode: 0o600 })
      expect((await unwell(place)).found.map(({ fix }) => fix)).to.include(`rm ${draft}`)
    })
  })
})

onSqlite((open) => {
  it('payctl doctor warns of a database that others can write to', async () => {
    const place = await open.migrated()
    const path = join(place.home, 'test.db')
    chmodSync(path, 0o622)
    const { exitCode, found } = await unwell(place)
    expect(exitCode).to.equal(8)
    expect(found.find(({ check }) => check === 'permissions')).to.include({
      state: 'failed',
      found: `${path} may be written by other users`,
      fix: `chmod 600 ${path}`,
    })
  })

  it('payctl doctor creates no files, and reports a damaged database', async () => {
    const place = await open.place()
    expect(await unwell({ ...place, home: join(place.home, 'new') })).to.include({ exitCode: 0 })
    await payctl(place, ['customers', 'create', '--name', 'Ada'])
    writeFileSync(
      join(place.home, 'test.db'),
      'not a database, but as long as the header of one is '.repeat(200),
    )
    const { exitCode, found } = await unwell(place)
    expect(exitCode).to.equal(8)
    const said = found.find(({ check }) => check === 'test database')
    expect(said).to.include({ state: 'failed', fix: 'payctl restore <folder> --yes' })
  })
})

onPostgres((open) => {
  it('payctl doctor reports a missing key file if a new home names a database in use', async () => {
    const place = await open.migrated()
    const { exitCode, found } = await unwell({ ...place, home: join(place.home, 'another') })
    expect(exitCode).to.equal(8)
    expect(found.find(({ check }) => check === 'key file')).to.include({
      state: 'failed',
      fix: 'payctl vault import <file>',
    })
  })

  it('payctl doctor names pg_restore for a database that PostgreSQL reports as damaged', async () => {
    const place = await open.migrated()
    await asOutsider(
      place,
      'alter table migrations rename to lost',
      `create function unreadable() returns text language plpgsql as
         $$ begin raise exception 'invalid page' using errcode = 'XX001'; end $$`,
      'create view migrations as select unreadable() as name',
    )
    const { exitCode, found } = await unwell(place)
    expect(exitCode).to.equal(8)
    expect(found.find(({ check }) => check === 'test database')).to.include({
      state: 'failed',
      fix: 'pg_restore --clean --if-exists --dbname="$PAYCTL_DATABASE_URL" <file>',
    })
  })
})
