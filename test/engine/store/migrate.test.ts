import { createHash } from 'node:crypto'
import { expect } from 'chai'
import type { Store, Tx } from '../../../src/engine/store/database/store.js'
import { appliedMigrations } from '../../../src/engine/store/migrations/migrate.js'
import { loadSchema, type Migration, migrations } from '../../../src/engine/store/migrations/migrations.js'
import { openStore, type StoreOptions } from '../../../src/engine/store/open-store.js'
import { SqliteConnection } from '../../../src/engine/store/sqlite/sqlite-connection.js'
import { describeOlder, migrateHome, olderDatabases } from '../../../src/installation/migrate-home.js'
import { systemRandom } from '../../../src/platform/random.js'
import { insert } from '../../support/counters.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { asOutsider } from '../../support/outsider.js'
import { rejection } from '../../support/rejection.js'

const names = migrations.map(({ name }) => name)

/** A migration of a possible later version. */
function later(name: string, step: (tx: Tx) => Promise<unknown>): Migration {
  return { name, load: async () => async (tx) => void (await step(tx)) }
}

const second = later('0002_nicknames', async ({ any }) => {
  await any.schema.alterTable('accounts').addColumn('nickname', 'text').execute()
  await any.updateTable('accounts').set({ nickname: 'none' }).execute()
})
const third = later('0003_none', async () => undefined)

function optionsOf(place: Place, all: readonly Migration[]): StoreOptions {
  return { ...place, environment: 'test', random: systemRandom, migrations: all }
}

async function inStore<T>(options: StoreOptions, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(options)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

const applied = (store: Store) => store.read(appliedMigrations)
const nicknames = (store: Store) =>
  store.read(async ({ any }) =>
    (await any.selectFrom('accounts').select('nickname').execute()).map((row) => row.nickname),
  )

describe('the list of migrations', () => {
  it('is ordered by name', () => {
    const names = migrations.map(({ name }) => name)
    expect(names.toSorted()).to.deep.equal(names)
  })

  it('ends with a migration that names the digest of the schema, so that no change lacks one', async () => {
    expect(names.at(-1)).to.match(new RegExp(`_${await digestOfSchema()}$`))
  })
})

describe('a migration', () => {
  onDatabases('upgrade', (open) => {
    let place: Place
    beforeEach(async () => {
      place = await open.migrated()
      await inStore(optionsOf(place, migrations), (store) => store.write((tx) => insert(tx, 'a')))
    })

    it('is applied to a database that lacks it, and its name is noted', async () => {
      const all = [...migrations, second]
      await inStore(optionsOf(place, all), async (store) => {
        expect(await applied(store)).to.deep.equal([...names, '0002_nicknames'])
        expect(await nicknames(store)).to.deep.equal(['none'])
      })
      await inStore(optionsOf(place, all), async (store) => {
        expect(await nicknames(store)).to.deep.equal(['none'])
      })
    })

    it('is only noted in a new database, which has the schema of this version', async () => {
      const all = [...migrations, second]
      const options = optionsOf(await open.place(), all)
      await inStore(options, async (store) => {
        expect(await applied(store)).to.deep.equal([...names, '0002_nicknames'])
        expect((await rejection(nicknames(store))).message).to.include('nickname')
      })
    })

    it('is applied once, even if several processes open the database at the same time', async () => {
      const options = optionsOf(place, [...migrations, second, third])
      const stores = await Promise.all([openStore(options), openStore(options), openStore(options)])
      try {
        for (const store of stores)
          expect(await applied(store)).to.deep.equal([...names, '0002_nicknames', '0003_none'])
      } finally {
        for (const store of stores) await store.close()
      }
    })

    it('leaves the database unchanged if it fails', async () => {
      const failing = later('0003_fails', async ({ any }) => {
        await any.deleteFrom('accounts').execute()
        throw new Error('This one fails')
      })
      const error = await rejection(openStore(optionsOf(place, [...migrations, second, failing])))
      expect(error.message).to.equal('This one fails')
      await inStore(optionsOf(place, migrations), async (store) => {
        expect(await applied(store)).to.deep.equal(names)
        expect(await store.read(({ db }) => db.selectFrom('accounts').select('id').execute())).to.deep.equal([
          { id: 'a' },
        ])
      })
    })

    it('is listed for databases that lack it, and is applied by payctl migrate', async () => {
      const all = [...migrations, second]
      const older = await olderDatabases({ ...place, random: systemRandom, migrations: all })
      expect(older.map(({ environment, names }) => ({ environment, names }))).to.deep.equal([
        { environment: 'test', names: ['0002_nicknames'] },
        { environment: 'live', names: ['0002_nicknames'] },
      ])
      expect(older.map(describeOlder)[0]).to.match(/^The database \S+ lacks 1 migration$/)
      for (const { environment } of older)
        await migrateHome({ ...place, environment, random: systemRandom, migrations: all })
      expect(await olderDatabases({ ...place, random: systemRandom, migrations: all })).to.deep.equal([])
      await inStore(optionsOf(place, all), async (store) => {
        expect(await nicknames(store)).to.deep.equal(['none'])
      })
    })

    it('unknown to this version makes payctl refuse the database', async () => {
      await inStore(optionsOf(place, [...migrations, second]), async () => undefined)
      const error = await rejection(openStore(optionsOf(place, migrations)))
      expect(error).to.include({ name: 'StoreError', problem: 'newer_version' })
      expect(error.message).to.match(
        /^The database \S+ was made by a newer payctl \(0002_nicknames\); install that version to use it\.$/,
      )
    })

    it('missing before an applied migration makes payctl refuse the database', async () => {
      const all = [...migrations, second, third]
      await inStore(optionsOf(place, all), async () => undefined)
      await asOutsider(place, "delete from migrations where name = '0002_nicknames'")
      const error = await rejection(openStore(optionsOf(place, all)))
      expect(error).to.include({ name: 'StoreError', problem: 'corrupt' })
      expect(error.message).to.match(
        /^The database \S+ lacks the migration 0002_nicknames and has a later one; restore it from a backup\.$/,
      )
    })

    for (const older of ['0001_first', '0001_first_ffffffff'])
      it(`is not applied to a database of the layout ${older}, which is refused in one sentence`, async () => {
        await asOutsider(place, `update migrations set name = '${older}'`)
        const error = await rejection(openStore(optionsOf(place, [...migrations, second])))
        expect(error).to.include({ name: 'StoreError', problem: 'other_layout' })
        expect(error.message).to.match(
          /^The database \S+ has a layout from before the first release; name a new home in PAYCTL_HOME or a new database, or install the version that made it\.$/,
        )
        expect(await rejection(olderDatabases({ ...place, random: systemRandom }))).to.include({
          problem: 'other_layout',
        })
      })
  })
})

/** Digest of the statements that create the tables and indexes on SQLite. */
async function digestOfSchema(): Promise<string> {
  const connection = SqliteConnection.inMemory()
  try {
    const createSchema = await loadSchema()
    await createSchema(connection)
    const made = connection.database.prepare('select sql from sqlite_schema order by name').all()
    return createHash('sha256').update(JSON.stringify(made)).digest('hex').slice(0, 8)
  } finally {
    connection.close()
  }
}
