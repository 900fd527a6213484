import { expect } from 'chai'
import fc from 'fast-check'
import { sql } from 'kysely'
import type { Core } from '../../../src/engine/core/core.js'
import { owner as principal } from '../../../src/engine/core/request/principal.js'
import type { ApiRequest, QueryPair } from '../../../src/engine/core/request/request.js'
import { using } from '../../../src/engine/store/database/raw-use.js'
import type { Store } from '../../../src/engine/store/database/store.js'
import { databasePath } from '../../../src/engine/store/sqlite/database-file.js'
import { type ScanLimits, USUAL_SCAN } from '../../../src/engine/store/sqlite/list-scan.js'
import { SqliteStore } from '../../../src/engine/store/sqlite/sqlite-store.js'
import { registryOf } from '../../../src/schema/registry.js'
import { onSqlite, type TestDatabase } from '../../support/databases.js'
import { coreOfThings, makeTable } from './matrix/open-things.js'
import { queriesOf } from './matrix/queries.js'
import { thing } from './matrix/thing.js'
import { makeThings } from './matrix/things.js'

const ask = (core: Core, query: readonly QueryPair[], more: Partial<ApiRequest> = {}) =>
  core.handle({ method: 'GET', path: '/things', query, principal, count: true, ...more })

/** An answer without its cursors, which are sealed differently each time. */
const shownBy = async (core: Core, query: readonly QueryPair[]) => {
  const { status, body, headers } = await ask(core, query)
  return { status, body, headers: JSON.stringify(headers).replaceAll(/after=[\w-]+\.[\w-]+/g, 'after=') }
}

/** A store whose statements never have enough time, so that all lists are read in slices. */
function hurried(store: Store): Store {
  return {
    dialect: store.dialect,
    run: store.run.bind(store),
    write: store.write.bind(store),
    close: store.close.bind(store),
    read: (work, options) =>
      store.read(async ({ scan, ...tx }) => {
        const slow = scan && {
          goesOn: scan.goesOn.bind(scan),
          attempt: async () => undefined,
          slices: scan.slices.bind(scan),
        }
        return await work({ ...tx, ...(slow && { scan: slow }) })
      }, options),
  }
}

for (const clustered of [undefined, true] as const)
  onSqlite((open) => {
    describe(`a list that is read slice by slice, ${clustered ? 'by ids' : 'by rows'}`, () => {
      let db: TestDatabase
      let usual: Core

      const storeWith = (limits: Partial<ScanLimits>): Store => {
        const path = databasePath(db.home, 'test')
        const store = new SqliteStore(path, undefined, { ...USUAL_SCAN, ...limits })
        open.atEnd(() => store.close())
        return store
      }
      before(async () => {
        db = await open()
        await makeTable(db.store, clustered && { clustered })
        usual = coreOfThings(open, db.store, db.vault)
        await makeThings(usual)
      })

      for (const rows of [1, 7])
        it(`of ${rows} rows equals the same list read at once`, async () => {
          const sliced = coreOfThings(open, hurried(storeWith({ rows })), db.vault)
          const paging: fc.Arbitrary<QueryPair[]> = fc
            .tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 0, max: 30 }))
            .map(([limit, offset]) => [
              ['limit', String(limit)],
              ['offset', String(offset)],
            ])
          const queries = fc
            .tuple(queriesOf(registryOf({ thing }), thing), paging)
            .map(([query, page]) => [...query, ...page])
          await fc.assert(
            fc.asyncProperty(queries, async (query) => {
              expect(await shownBy(sliced, query)).to.deep.equal(await shownBy(usual, query))
            }),
            { numRuns: 200 },
          )
        })

      it('pages by cursor like a list read at once', async () => {
        const sliced = coreOfThings(open, hurried(storeWith({ rows: 5 })), db.vault)
        for (const order of ['-money', 'text', 'next[text]', 'attrs[number]', '-datetime', 'id']) {
          let after: QueryPair[] = []
          for (let more = true; more; ) {
            const query: QueryPair[] = [['order_by', order], ['limit', '4'], ...after]
            expect(await shownBy(sliced, query), order).to.deep.equal(await shownBy(usual, query))
            const { headers } = await ask(sliced, query)
            const next = /after=([^&>]+)/.exec(headers['Link'] ?? '')?.[1]
            more = next !== undefined
            after = next === undefined ? [] : [['after', next]]
          }
        }
      })

      it('has the groups of all slices, even if slices are grouped in the database', async () => {
        const sliced = coreOfThings(open, hurried(storeWith({ rows: 2 })), db.vault)
        for (const fields of [
          'sum(money)',
          'avg(integer)',
          'min(text),max(date)',
          'count(number),count(*)',
        ]) {
          const query: QueryPair[] = [['fields', fields]]
          for (const by of [[], [['group_by', 'flag']], [['group_by', 'next[text]']]] satisfies QueryPair[][])
            expect(await ask(sliced, [...query, ...by])).to.deep.equal(await ask(usual, [...query, ...by]))
        }
      })

      it('is retried with smaller slices if one slice takes too long', async () => {
        let time = 0
        const clock = { now: () => ++time }
        const store = storeWith({ clock, statement: 8, rows: 1_000, unwatched: 1 })
        const sliced = coreOfThings(open, store, db.vault)
        for (const query of [[], [['order_by', 'text']], [['fields', 'sum(money)']]] satisfies QueryPair[][])
          expect(await shownBy(sliced, query)).to.deep.equal(await shownBy(usual, query))
      })

      it('is refused if a single row takes too long', async () => {
        let time = 0
        const clock = { now: () => (time += 1_000) }
        const causes: unknown[] = []
        const store = storeWith({ clock, unwatched: 1 })
        const sliced = coreOfThings(open, store, db.vault, (error) => causes.push(error))
        expect(await ask(sliced, [])).to.have.property('status', 503)
        expect(causes).to.have.nested.property('[0].problem', 'too_slow')
      })

      it('stops within a statement when the client has disconnected', async () => {
        const sliced = coreOfThings(open, storeWith({ unwatched: 1 }), db.vault)
        let looked = 0
        const { status } = await ask(sliced, [], { isAwaited: () => ++looked < 5 })
        expect([status, looked]).to.deep.equal([503, 5])
      })

      it('renews a snapshot that is too old and keeps a young snapshot', async () => {
        let time = 0
        const store = storeWith({ clock: { now: () => time }, rows: 1 })
        const ages: number[] = []
        await db.store.write(({ any }) =>
          using({ reads: [], schema: true }, sql`create table moments (moment integer)`).execute(any),
        )
        const write = () =>
          db.store.write(({ any }) => any.insertInto('moments').values({ moment: time }).execute())
        await write()
        const last = sql<{ moment: number }>`select max(moment) as moment from moments`
        await store.read(
          async ({ any, scan }) => {
            await scan?.slices(thing.plural, async () => {
              const { rows } = await last.execute(any)
              ages.push(time - Number(rows[0]?.moment))
              time += 400
              await write()
            })
          },
          { list: true },
        )
        expect(Math.max(...ages)).to.equal(800)
        expect(ages.slice(0, 6)).to.deep.equal([0, 400, 800, 0, 400, 800])
      })
    })
  })
