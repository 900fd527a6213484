import { EventEmitter, once } from 'node:events'
import { expect } from 'chai'
import { sql } from 'kysely'
import { prepared } from '../../../../src/engine/store/database/prepared.js'
import { using } from '../../../../src/engine/store/database/raw-use.js'
import type { Tx } from '../../../../src/engine/store/database/store.js'
import { StoreError } from '../../../../src/engine/store/database/store-error.js'
import { openStore } from '../../../../src/engine/store/open-store.js'
import { LISTS, USUAL } from '../../../../src/engine/store/postgres/pool.js'
import { systemRandom } from '../../../../src/platform/random.js'
import { counted, idsIn, increment, insert, storedIds } from '../../../support/counters.js'
import { onPostgres, type TestDatabase } from '../../../support/databases.js'
import { type Gate, gate } from '../../../support/gate.js'
import { rejection } from '../../../support/rejection.js'
import { transactionPooler } from '../../../support/transaction-pooler.js'

describe('a unit of work on PostgreSQL', () => {
  onPostgres((open) => {
    let db: TestDatabase
    beforeEach(async () => {
      db = await open()
      await db.store.write(async (tx) => [await insert(tx, 'a'), await insert(tx, 'b')])
    })

    it('is retried after a deadlock and loses no change', async () => {
      const met = rendezvous(2)
      let runs = 0
      const crossing = (first: string, second: string) =>
        db.store.write(async (tx) => {
          runs++
          await increment(tx, first)
          await met()
          await increment(tx, second)
        })
      await Promise.all([crossing('a', 'b'), crossing('b', 'a')])
      expect([await counted(db.store, 'a'), await counted(db.store, 'b')]).to.deep.equal([2, 2])
      expect(runs).to.be.greaterThan(2)
    })

    it('is retried after a serialization failure', async () => {
      const met = rendezvous(2)
      let runs = 0
      const raising = () =>
        db.store.write(async (tx) => {
          runs++
          await using({ reads: [] }, sql`set transaction isolation level serializable`).execute(tx.any)
          const { rows } = await using(
            { reads: [] },
            sql<{
              n: number
            }>`select transaction_limit as n from accounts where id = 'a'`,
          ).execute(tx.any)
          await met()
          await using(
            { reads: [], schema: true },
            sql`update accounts set transaction_limit = ${(rows[0]?.n ?? 0) + 1} where id = 'a'`,
          ).execute(tx.any)
        })
      await Promise.all([raising(), raising()])
      expect(await counted(db.store, 'a')).to.equal(2)
      expect(runs).to.equal(3)
    })

    it('fails if it conflicts at every attempt', async () => {
      let runs = 0
      const error = await rejection(
        db.store.write(async (tx) => {
          runs++
          await insert(tx, 'c')
          await using(
            { reads: [] },
            sql`do $$ begin raise exception using errcode = '40001'; end $$`,
          ).execute(tx.any)
        }),
      )
      expect(error).to.be.instanceOf(StoreError).and.to.have.property('problem', 'busy')
      expect(runs).to.equal(10)
      expect(await storedIds(db.store)).to.deep.equal(['a', 'b'])
    })

    it('is not acknowledged if one of its statements failed', async () => {
      const error = await rejection(
        db.store.write(async (tx) => {
          await rejection(insert(tx, 'a'))
        }),
      )
      expect(error.message).to.equal('A unit of work went on after a statement of it had failed')
    })

    it('is refused if its connection is cut, and the next unit of work gets a new connection', async () => {
      const error = await rejection(
        db.store.write(async (tx) => {
          await insert(tx, 'c')
          await using({ reads: [] }, sql`select pg_terminate_backend(pg_backend_pid())`).execute(tx.any)
        }),
      )
      expect(error).to.be.instanceOf(StoreError).and.to.have.property('problem', 'unreachable')
      expect(await storedIds(db.store)).to.deep.equal(['a', 'b'])
    })

    it('is not affected by idle connections that were cut', async () => {
      const other = await open()
      await other.store.write((tx) =>
        using(
          { reads: [] },
          sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = ${databaseOf(db)}`,
        ).execute(tx.any),
      )
      const outcomes = await Promise.allSettled([storedIds(db.store), storedIds(db.store)])
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).to.have.property('problem', 'unreachable')
      expect(await storedIds(db.store)).to.deep.equal(['a', 'b'])
    })

    it('finds a connection while lists use all connections for lists', async () => {
      const met = rendezvous(LISTS.connections)
      const finished = new EventEmitter()
      const end = once(finished, 'end')
      const slow = Array.from({ length: LISTS.connections }, () =>
        db.store.read(
          async (tx) => {
            await idsIn(tx)
            await met()
            await end
          },
          { list: true },
        ),
      )
      let waited = true
      const last = db.store.read(
        async () => {
          waited = false
        },
        { list: true },
      )
      expect(await counted(db.store, 'a')).to.equal(0)
      await db.store.write((tx) => increment(tx, 'a'))
      expect([await counted(db.store, 'a'), waited]).to.deep.equal([1, true])
      finished.emit('end')
      await Promise.all([...slow, last])
      expect(waited).to.equal(false)
    })

    it('finds a connection while many background units of work run', async () => {
      const finished = new EventEmitter()
      const end = once(finished, 'end')
      const full = rendezvous(4 + 1)
      let begun = 0
      const background = Array.from({ length: 12 }, () =>
        db.store.write(
          async () => {
            if (++begun <= 4) await full()
            await end
          },
          { patient: true, background: true },
        ),
      )
      await full()
      const met = rendezvous(USUAL.connections - 4)
      await Promise.all(Array.from({ length: USUAL.connections - 4 }, () => db.store.write(met)))
      expect(begun).to.equal(4)
      finished.emit('end')
      await Promise.all(background)
      expect(begun).to.equal(12)
    })

    it('of a client may wait for a row while many background units of work wait for it', async () => {
      const held = gate<void>()
      const holder = db.store.write(async (tx) => {
        await increment(tx, 'a')
        await held.enter()
      })
      await held.entered
      // The last participant is this test; a unit of work that is retried waits for the row.
      const isOneWaiting = rendezvous(12 + 1 + 1)
      const isClientWaiting = rendezvous(2 + 1)
      const raising = (come: () => Promise<unknown>, background: boolean) =>
        db.store.write(
          async (tx) => {
            void come()
            await increment(tx, 'a')
          },
          { patient: background, background },
        )
      const background = Array.from({ length: 12 }, () => raising(isOneWaiting, true))
      await isOneWaiting()
      const client = raising(isClientWaiting, false)
      await isClientWaiting()
      held.open()
      await Promise.all([holder, client, ...background])
      expect(await counted(db.store, 'a')).to.equal(14)
    })

    it('in the background may wait for a row while several clients wait for another row', async () => {
      const first = gate<void>()
      const second = gate<void>()
      const holding = async (id: string, held: Gate<void>) => {
        const holder = db.store.write(async (tx) => {
          await increment(tx, id)
          await held.enter()
        })
        await held.entered
        return () => {
          held.open()
          return holder
        }
      }
      const letA = await holding('a', first)
      const letB = await holding('b', second)
      // A retried unit of work waits for its row; one of the other units of work may wait, too.
      const isOneWaiting = rendezvous(2 + 1 + 1)
      const isPatientWaiting = rendezvous(2 + 1)
      const raising = (id: string, come: () => Promise<unknown>, background: boolean) =>
        db.store.write(
          async (tx) => {
            void come()
            await increment(tx, id)
          },
          { patient: true, background },
        )
      const several = [raising('a', isOneWaiting, true), raising('a', isOneWaiting, true)]
      await isOneWaiting()
      const sealer = raising('b', isPatientWaiting, false)
      await isPatientWaiting()
      await letB()
      await sealer
      expect(await counted(db.store, 'b')).to.equal(2)
      await letA()
      await Promise.all(several)
    })

    it('reports a list that the server cancelled as too slow', async () => {
      const error = await rejection(
        db.store.read(
          (tx) => using({ reads: [] }, sql`select pg_cancel_backend(pg_backend_pid())`).execute(tx.any),
          {
            list: true,
          },
        ),
      )
      expect(error).to.be.instanceOf(StoreError).with.property('problem', 'too_slow')
    })

    it('reuses a prepared query on its connection', async () => {
      const statements = (tx: Tx) =>
        using(
          { reads: [] },
          sql<{ statement: string }>`select statement from pg_prepared_statements`,
        ).execute(tx.any)
      const seen = await db.store.write(async (tx) => {
        await tx.run(byName, { name: 'x' })
        await tx.run(byName, { name: 'y' })
        return statements(tx)
      })
      expect(seen.rows.filter(({ statement }) => statement.includes('"name" = $1'))).to.have.length(1)
    })

    for (const [given, expected] of [
      ['off', 'local'],
      ['remote_write', 'remote_write'],
    ])
      it(`waits for the server's disk if its user has synchronous_commit=${given}`, async () => {
        const databaseUrl = `${db.databaseUrl}&options=-c%20synchronous_commit%3D${given}`
        const store = await openStore({ ...db, databaseUrl, environment: 'test', random: systemRandom })
        const { rows } = await store.write((tx) =>
          using(
            { reads: [] },
            sql<{ setting: string }>`select current_setting('synchronous_commit') as setting`,
          ).execute(tx.any),
        )
        expect(rows).to.deep.equal([{ setting: expected }])
        await store.close()
      })

    it('is refused behind a pooler that would give it the schema of another environment', async () => {
      const pooler = await transactionPooler(db.databaseUrl ?? '')
      const place = { ...db, databaseUrl: pooler.url }
      const test = await openStore({ ...place, environment: 'test', random: systemRandom })
      const error = await rejection(openStore({ ...place, environment: 'live', random: systemRandom }))
      expect(error).to.be.instanceOf(StoreError).and.to.have.property('problem', 'refused')
      expect(error.message).to.contain('let it pool by session')
      await test.close()
      pooler.close()
    })

    it('sees only the schema of its environment', async () => {
      await db.store.write((tx) =>
        using({ reads: [], schema: true }, sql`create table public.elsewhere (id text)`).execute(tx.any),
      )
      const seen = await db.store.read((tx) =>
        using(
          { reads: [] },
          sql<{ schema: string; elsewhere: string | null }>`
          select current_schema() as schema, to_regclass('elsewhere') as elsewhere`,
        ).execute(tx.any),
      )
      expect(seen.rows).to.deep.equal([{ schema: 'payctl_test', elsewhere: null }])
      const live = await openStore({ ...db, environment: 'live', random: systemRandom })
      expect(await storedIds(live)).to.deep.equal([])
      await live.close()
    })
  })
})

const byName = prepared<{ name: string }, { id: string }>((db, param) =>
  db.selectFrom('accounts').select('id').where('name', '=', param('name')),
)

/** Blocks callers until the given number has arrived, then releases all. */
function rendezvous(parties: number): () => Promise<unknown> {
  const meeting = new EventEmitter()
  const complete = once(meeting, 'complete')
  let come = 0
  return () => {
    if (++come === parties) meeting.emit('complete')
    return complete
  }
}

function databaseOf({ databaseUrl = '' }: TestDatabase): string {
  return new URL(databaseUrl).pathname.slice(1)
}
