import { rmSync } from 'node:fs'
import { expect } from 'chai'
import { Statements } from '../../../../src/engine/core/read/statements.js'
import { insertRows } from '../../../../src/engine/store/database/insert-rows.js'
import { prepared } from '../../../../src/engine/store/database/prepared.js'
import type { Store, Tx } from '../../../../src/engine/store/database/store.js'
import { isUniqueViolation } from '../../../../src/engine/store/database/store-error.js'
import { openStore } from '../../../../src/engine/store/open-store.js'
import { Model } from '../../../../src/model/model.js'
import { systemRandom } from '../../../../src/platform/random.js'
import { resources } from '../../../../src/resources/resource-table.js'
import { registryOf } from '../../../../src/schema/registry.js'
import { insertBatch, insertBatchRow, replaceBatchRow } from '../../../support/batch-rows.js'
import { counted, idsIn, increment, insert, storedIds } from '../../../support/counters.js'
import { emptyHome } from '../../../support/home.js'

const { byId: accountById } = new Statements('sqlite').of(new Model(registryOf(resources)).get('account'))

const AT = '2025-01-01 00:00:00'

describe('buffered new rows of units of work that share a commit', () => {
  let home: string
  let store: Store
  beforeEach(async () => {
    home = emptyHome()
    store = await openStore({ home, environment: 'test', random: systemRandom })
    await store.write((tx) => insert(tx, 'a'))
  })
  afterEach(async () => {
    await store.close()
    rmSync(home, { recursive: true })
  })

  /** Answers of units of work started at the same time, and the order in which they ran. */
  async function together(works: Readonly<Record<string, (tx: Tx) => Promise<unknown>>>) {
    const runs: string[] = []
    const asked = Object.entries(works).map(([name, work]) =>
      store.write((tx) => {
        runs.push(name)
        return work(tx)
      }),
    )
    return { answers: await Promise.all(asked.map((each) => each.catch((error) => error))), runs }
  }

  const byId = async (tx: Tx, id: string) => (await tx.run(accountById, { id })).map((row) => row.id)

  it('are visible to their own and later units of work, in any statement', async () => {
    const { answers, runs } = await together({
      own: async (tx) => [await insert(tx, 'b'), await byId(tx, 'b'), await byId(tx, 'c')],
      all: async (tx) => [await insert(tx, 'c'), await idsIn(tx)],
      changed: async (tx) => [await insert(tx, 'd'), await increment(tx, 'd'), await increment(tx, 'c')],
      others: async (tx) => [await byId(tx, 'd'), await byId(tx, 'c'), await idsIn(tx)],
    })
    expect(answers).to.deep.equal([
      [1, ['b'], []],
      [1, ['a', 'b', 'c']],
      [1, 1, 1],
      [['d'], ['c'], ['a', 'b', 'c', 'd']],
    ])
    expect(runs).to.deep.equal(['own', 'all', 'changed', 'others'])
    expect([await counted(store, 'c'), await counted(store, 'd')]).to.deep.equal([1, 1])
  })

  it('refuse only the unit of work whose row exists already', async () => {
    const { answers, runs } = await together({
      first: (tx) => insert(tx, 'b'),
      second: (tx) => insert(tx, 'b'),
      third: (tx) => insert(tx, 'c'),
    })
    const [first, second, third] = answers
    expect([first, third]).to.deep.equal([1, 1])
    expect(second).to.satisfy(isUniqueViolation)
    expect(runs).to.deep.equal(['first', 'second', 'third', 'first', 'second', 'third'])
    expect(await storedIds(store)).to.deep.equal(['a', 'b', 'c'])
  })

  it('refuse no later reader because of a row that cannot be written', async () => {
    const { answers } = await together({
      wrong: (tx) => insert(tx, 'a'),
      reader: (tx) => idsIn(tx),
      careless: (tx) => tx.change(raiseAll, {}).catch(() => 'went on'),
    })
    const [wrong, ...rest] = answers
    expect(wrong).to.satisfy(isUniqueViolation)
    expect(rest).to.deep.equal([['a'], 1])
    expect(await counted(store, 'a')).to.equal(1)
  })

  it('are written in the order of each unit of work, so that referenced rows exist', async () => {
    const batch = (tx: Tx, id: string) => tx.change(insertBatch, { id })
    const row = (tx: Tx, id: string, batchId: string) =>
      tx.change(insertBatchRow, { id, batch_id: batchId, error: '' })
    await store.write((tx) => batch(tx, 'old'))
    const whole = (id: string) => async (tx: Tx) => {
      await batch(tx, id)
      await row(tx, `${id}1`, id)
      await insert(tx, id)
      await row(tx, `${id}2`, id)
    }
    const late = async (tx: Tx) => {
      await insert(tx, 'late')
      await batch(tx, 'x')
      await row(tx, 'x1', 'x')
    }
    const { runs } = await together({
      row: (tx) => row(tx, 'old1', 'old'),
      b: whole('b'),
      c: whole('c'),
      late,
    })
    expect(runs).to.deep.equal(['row', 'b', 'c', 'late'])
    const stored = await store.read(({ db }) =>
      db.selectFrom('batch_rows').select('id').orderBy('id').execute(),
    )
    expect(stored.map(({ id }) => id)).to.deep.equal(['b1', 'b2', 'c1', 'c2', 'old1', 'x1'])
  })

  it('replace each other in the order of their units of work, buffered or written', async () => {
    await store.write((tx) => tx.change(insertBatch, { id: 'old' }))
    const name = (tx: Tx, id: string, to: string) =>
      tx.change(replaceBatchRow, { id, batch_id: 'old', error: to })
    const { runs } = await together({
      both: async (tx) => {
        await name(tx, 'b', 'first')
        await tx.change(insertBatch, { id: 'one' })
      },
      // The buffer has the rows of the previous unit of work, then this batch, then the row of this batch.
      turned: async (tx) => {
        await tx.change(insertBatch, { id: 'two' })
        await name(tx, 'x', 'first')
      },
      last: async (tx) => {
        await name(tx, 'b', 'last')
        await name(tx, 'x', 'last')
      },
    })
    const rows = await store.read(({ db }) =>
      db.selectFrom('batch_rows').select(['id', 'error']).orderBy('id').execute(),
    )
    expect(rows).to.deep.equal([
      { id: 'b', error: 'last' },
      { id: 'x', error: 'last' },
    ])
    expect(runs).to.deep.equal(['both', 'turned', 'last'])
  })

  it('keep their own values, whichever columns earlier rows filled', async () => {
    await store.write((tx) => tx.change(insertBatch, { id: 'old' }))
    const named = (id: string, error: string | null) => (tx: Tx) =>
      tx.change(replaceBatchRow, { id, batch_id: 'old', error })
    await together({ a: named('a', null), b: named('b', 'wrong'), c: named('c', null) })
    await together({ a: named('a', 'wrong'), b: named('b', null), d: named('d', null) })
    const rows = await store.read(({ db }) =>
      db.selectFrom('batch_rows').select(['id', 'error']).orderBy('id').execute(),
    )
    expect(rows).to.deep.equal([
      { id: 'a', error: 'wrong' },
      { id: 'b', error: null },
      { id: 'c', error: null },
      { id: 'd', error: null },
    ])
  })

  it('are all written, whatever their number', async () => {
    const columns = ['id', 'trigger', 'object', 'object_id', 'principal_id', 'created_at'] as const
    const events = (from: number) => (tx: Tx) => {
      const event = {
        trigger: 'payment',
        object: 'transaction',
        object_id: 't',
        principal_id: 'p',
        created_at: AT,
      }
      const rows = Array.from({ length: 3_000 }, (_, n) => ({ ...event, id: `evt_${from + n}` }))
      return insertRows(tx, 'events', columns, rows)
    }
    await together({ a: events(10_000), b: events(20_000), c: (tx) => insert(tx, 'c') })
    const count = await store.read(({ db }) =>
      db
        .selectFrom('events')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirst(),
    )
    expect(count).to.deep.equal({ count: 6_000 })
    expect(await storedIds(store)).to.deep.equal(['a', 'c'])
  })
})

const raiseAll = prepared<object, unknown>((db) =>
  db.updateTable('accounts').set((eb) => ({ transaction_limit: eb('transaction_limit', '+', 1) })),
)
