import { EventEmitter, once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { sql } from 'kysely'
import pg from 'pg'
import { lockRows, waitForName } from '../../../../src/engine/store/database/differences.js'
import { prepared } from '../../../../src/engine/store/database/prepared.js'
import { using } from '../../../../src/engine/store/database/raw-use.js'
import type { Tx } from '../../../../src/engine/store/database/store.js'
import { isUniqueViolation } from '../../../../src/engine/store/database/store-error.js'
import { USUAL } from '../../../../src/engine/store/postgres/pool.js'
import { counted, idsIn, increment, insert, storedIds } from '../../../support/counters.js'
import { onPostgres, type TestDatabase } from '../../../support/databases.js'

describe('units of work in a shared transaction', () => {
  onPostgres((open) => {
    let db: TestDatabase
    beforeEach(async () => {
      db = await open()
      await db.store.write((tx) => insert(tx, 'a'))
    })
    const together = <T>(works: readonly ((tx: Tx) => Promise<T>)[]) =>
      Promise.allSettled(works.map((work) => db.store.write(work, { together: true })))
    /** Number of transactions that wrote these rows. */
    const transactions = async (ids: readonly string[]) => {
      const { rows } = await db.store.read((tx) =>
        using(
          { reads: [] },
          sql<{ count: number }>`select count(distinct xmin::text) as count from accounts
          where id = any(${[...ids]})`,
        ).execute(tx.any),
      )
      return rows[0]?.count
    }
    const numbered = (count: number, name = 'n') => Array.from({ length: count }, (_, n) => `${name}${n}`)

    it('are committed together, and each gets its own answer', async () => {
      const ids = numbered(8)
      const answers = await together(ids.map((id) => async (tx: Tx) => `${id} ${await insert(tx, id)}`))
      expect(answers.map((each) => each.status === 'fulfilled' && each.value)).to.deep.equal(
        ids.map((id) => `${id} 1`),
      )
      expect(await storedIds(db.store)).to.deep.equal(['a', ...ids])
      expect(await transactions(ids)).to.equal(1)
    })

    it('are committed together if they arrive while their transaction begins', async () => {
      const gate = new EventEmitter()
      const open = once(gate, 'open')
      const holding = Array.from({ length: USUAL.connections }, () => db.store.read(() => open))
      const ids = numbered(4)
      const all = []
      for (const id of ids) {
        all.push(db.store.write((tx) => insert(tx, id), { together: true }))
        for (let turn = 0; turn < 5; turn++) await nextTurn()
      }
      gate.emit('open')
      await Promise.all([...holding, ...all])
      expect(await transactions(ids)).to.equal(1)
    })

    it('fail without a retry if they are alone', async () => {
      let runs = 0
      const [outcome] = await together([
        async (tx) => {
          runs++
          await insert(tx, 'b')
          throw new Error('Refused')
        },
      ])
      expect([outcome?.status, runs]).to.deep.equal(['rejected', 1])
      expect(await storedIds(db.store)).to.deep.equal(['a'])
    })

    it('do not see uncommitted writes of the others', async () => {
      const seen = await together(
        numbered(4).map((id) => async (tx: Tx) => {
          const before = await tx.run(named, { name: 'a counter' })
          await insert(tx, id)
          await tx.run(clockRow, {})
          return before.map((row) => row.id).join()
        }),
      )
      expect(seen.map((each) => each.status === 'fulfilled' && each.value)).to.deep.equal(
        numbered(4).map(() => 'a'),
      )
    })

    it('see their own writes', async () => {
      const seen = await together(
        numbered(3).map((id) => async (tx: Tx) => {
          await insert(tx, id)
          const own = await tx.run(byId, { id })
          const other = await tx.run(byId, { id: 'a' })
          return [own.length, other.length, (await tx.run(named, { name: 'a counter' })).length > 1].join()
        }),
      )
      const expected = numbered(3).map(() => '1,1,true')
      expect(seen.map((each) => each.status === 'fulfilled' && each.value)).to.deep.equal(expected)
    })

    it('fail alone if they throw, whatever they would have written', async () => {
      const outcomes = await together([
        (tx) => insert(tx, 'b'),
        async (tx) => {
          await insert(tx, 'c')
          throw new Error('Refused')
        },
        (tx) => insert(tx, 'd'),
      ])
      expect(outcomes.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled'])
      expect(await storedIds(db.store)).to.deep.equal(['a', 'b', 'd'])
    })

    it('fail alone if the database refuses their write', async () => {
      const outcomes = await together(['b', 'a', 'c', 'b'].map((id) => (tx: Tx) => insert(tx, id)))
      const failed = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
      expect(failed.map(isUniqueViolation)).to.deep.equal([true, true])
      expect(await storedIds(db.store)).to.deep.equal(['a', 'b', 'c'])
    })

    it('change the same row one after the other', async () => {
      await together(numbered(10).map(() => (tx: Tx) => increment(tx, 'a')))
      expect(await counted(db.store, 'a')).to.equal(10)
    })

    it('read locked rows as the others left them', async () => {
      const raise = async (tx: Tx) => {
        const [row] = await tx.run(lockedById, { id: 'a' })
        const columns = { transaction_limit: (row?.transaction_limit ?? 0) + 1 }
        await tx.db.updateTable('accounts').set(columns).where('id', '=', 'a').execute()
      }
      const beside = numbered(5).map((id) => (tx: Tx) => insert(tx, id).then(() => undefined))
      await together([...numbered(10).map(() => raise), ...beside])
      expect(await counted(db.store, 'a')).to.equal(10)
      expect(await storedIds(db.store)).to.have.length(6)
    })

    it('take the same named lock one after the other', async () => {
      const once = async (tx: Tx) => {
        await waitForName(tx, 'once')
        if ((await tx.run(byId, { id: 'once' })).length === 0) return await insert(tx, 'once')
        return 0
      }
      const outcomes = await together(numbered(12).map(() => once))
      const made = outcomes.map((each) => (each.status === 'fulfilled' ? each.value : Number.NaN))
      expect(made.reduce((sum, each) => sum + each, 0)).to.equal(1)
    })

    it('wait for rows locked elsewhere without delaying the others', async () => {
      const events = new EventEmitter()
      const locked = once(events, 'locked')
      const gate = once(events, 'open')
      const holding = db.store.write(async (tx) => {
        await tx.db.selectFrom('accounts').select('id').where('id', '=', 'a').forUpdate().execute()
        await waitForName(tx, 'held')
        events.emit('locked')
        await gate
      })
      await locked
      const slow = [
        async (tx: Tx) => (await tx.run(namedById, { id: 'a' })).length,
        async (tx: Tx) => {
          await waitForName(tx, 'held')
          return 1
        },
      ]
      const quick = numbered(4).map((id) => async (tx: Tx) => {
        await insert(tx, id)
        return 1
      })
      const all = slow.map((work) => db.store.write(work, { together: true }))
      const passed = await together(quick).finally(() => events.emit('open'))
      expect(passed.map(({ status }) => status)).to.deep.equal(quick.map(() => 'fulfilled'))
      await holding
      expect(await Promise.all(all)).to.deep.equal([1, 1])
    })

    it('are run again alone if they query the database or catch a refusal of the shared transaction', async () => {
      const runs = { queried: 0, swallowed: 0 }
      const outcomes = await together<unknown>([
        async (tx) => {
          runs.queried++
          return await idsIn(tx)
        },
        async (tx) => {
          runs.swallowed++
          return await increment(tx, 'a').catch(() => 'swallowed')
        },
        (tx) => insert(tx, 'b'),
      ])
      expect(outcomes.map((each) => each.status === 'fulfilled' && each.value)).to.deep.equal([
        ['a', 'b'],
        1,
        1,
      ])
      expect(runs).to.deep.equal({ queried: 2, swallowed: 2 })
      expect(await counted(db.store, 'a')).to.equal(1)
    })

    it('are each retried once if their connection is cut, and no write is done twice', async () => {
      const ids = numbered(6)
      const killer = new pg.Client({ connectionString: db.databaseUrl })
      await killer.connect()
      let isCut = false
      const outcomes = await together(
        ids.map((id) => async (tx: Tx) => {
          await tx.run(byId, { id })
          if (!isCut) {
            isCut = true
            await killer.query(`select pg_terminate_backend(pid) from pg_stat_activity
              where application_name = 'payctl' and datname = current_database() and state = 'idle in transaction'`)
          }
          return await insert(tx, id)
        }),
      )
      await killer.end()
      expect(outcomes.map(({ status }) => status)).to.deep.equal(ids.map(() => 'fulfilled'))
      expect(await storedIds(db.store)).to.deep.equal(['a', ...ids])
    })

    it('do not include dry runs', async () => {
      const [tried] = await Promise.all([
        db.store.write((tx) => insert(tx, 'b'), { together: true, discard: true }),
        db.store.write((tx) => insert(tx, 'c'), { together: true }),
        db.store.write((tx) => insert(tx, 'd'), { together: true }),
      ])
      expect(tried).to.equal(1)
      expect(await storedIds(db.store)).to.deep.equal(['a', 'c', 'd'])
    })

    it('store every kind of text unchanged', async () => {
      const texts = [
        '"quoted" \\ back',
        "it's {a,b}",
        'null',
        '\u2028é😀\t\n',
        '\\x41',
        '',
        '{"a":"\\u0000"}',
      ]
      await together(texts.map((name, n) => (tx: Tx) => tx.change(insertNamed, { id: `t${n}`, name })))
      const rows = await db.store.read((tx) =>
        tx.db.selectFrom('accounts').select(['id', 'name']).where('id', 'like', 't%').orderBy('id').execute(),
      )
      expect(rows.map(({ name }) => name)).to.deep.equal(texts)
      expect(await transactions(rows.map(({ id }) => id))).to.equal(1)
    })

    it('set every omitted column explicitly instead of using its default', async () => {
      const { rows } = await db.store.read((tx) =>
        using(
          { reads: [] },
          sql<{
            name: string
          }>`select table_name || '.' || column_name as name from information_schema.columns
          where table_schema = 'payctl_test' and column_default is not null`,
        ).execute(tx.any),
      )
      // An insert of an event never sets its unit of work.
      expect(rows.map(({ name }) => name)).to.deep.equal(['events.work'])
    })
  })
})

interface Counter {
  id: string
  transaction_limit: number | null
}

const byId = prepared<{ id: string }, Counter>((db, param) =>
  db.selectFrom('accounts').selectAll().where('id', '=', param('id')),
)
const named = prepared<{ name: string }, { id: string }>((db, param) =>
  db.selectFrom('accounts').select('id').where('name', '=', param('name')),
)
const lockedById = prepared<{ id: string }, Counter>((db, param) =>
  lockRows('postgres', db.selectFrom('accounts').selectAll().where('id', '=', param('id'))),
)
const namedById = prepared<{ id: string }, Counter>((db, param) =>
  lockRows('postgres', db.selectFrom('accounts').selectAll().where('id', '=', param('id')), 'reference'),
)
const clockRow = prepared<object, { id: string }>((db) => db.selectFrom('clock').select('id'))
const insertNamed = prepared<{ id: string; name: string }, unknown>((db, param) =>
  db.insertInto('accounts').values({
    id: param('id'),
    name: param('name'),
    type: 'customer',
    created_at: '2025-01-01 00:00:00',
    modified_at: '2025-01-01 00:00:00',
  }),
)
