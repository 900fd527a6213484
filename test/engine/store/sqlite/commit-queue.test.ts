import { rmSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { expect } from 'chai'
import { sql } from 'kysely'
import { using } from '../../../../src/engine/store/database/raw-use.js'
import type { Store, Tx } from '../../../../src/engine/store/database/store.js'
import { StoreError } from '../../../../src/engine/store/database/store-error.js'
import { openStore } from '../../../../src/engine/store/open-store.js'
import { CommitQueue } from '../../../../src/engine/store/sqlite/commit-queue.js'
import { SqliteConnection } from '../../../../src/engine/store/sqlite/sqlite-connection.js'
import { explainSqliteError } from '../../../../src/engine/store/sqlite/sqlite-errors.js'
import { systemRandom } from '../../../../src/platform/random.js'
import { counted, increment, insert, storedIds } from '../../../support/counters.js'
import { emptyHome } from '../../../support/home.js'
import { rejection } from '../../../support/rejection.js'
import { commitsIn } from '../../../support/wal.js'

/** Timers that never fire, so the log with the counted commits is not emptied. */
const noTimers = { after: () => () => undefined }

describe('the commit queue of SQLite', () => {
  let home: string
  let path: string
  let store: Store
  beforeEach(async () => {
    home = emptyHome()
    path = join(home, 'test.db')
    store = await openStore({ home, environment: 'test', random: systemRandom, timers: noTimers })
  })
  afterEach(async () => {
    await store.close()
    rmSync(home, { recursive: true })
  })

  /** Number of commits that an action makes. */
  async function commits(act: () => Promise<unknown>): Promise<number> {
    const before = commitsIn(path)
    await act()
    return commitsIn(path) - before
  }

  it('commits together the units of work started in one turn of the event loop', async () => {
    const works = (name: string) =>
      Promise.all(Array.from({ length: 20 }, (_, n) => store.write((tx) => insert(tx, `${name}${n}`))))
    expect(await commits(() => works('a'))).to.equal(1)
    expect(await storedIds(store)).to.have.length(20)
  })

  it('commits separately the units of work started one after another', async () => {
    const works = async () => {
      for (const id of ['a', 'b', 'c']) await store.write((tx) => insert(tx, id))
    }
    expect(await commits(works)).to.equal(3)
  })

  it('limits how many units of work share a commit', async () => {
    await store.write((tx) => insert(tx, 'a'))
    const works = () =>
      Promise.all(Array.from({ length: 129 }, () => store.write((tx) => increment(tx, 'a'))))
    expect(await commits(works)).to.equal(2)
    expect(await counted(store, 'a')).to.equal(129)
  })

  it('makes no commit for units of work that were refused or discarded', async () => {
    const refused = store.write(async (tx) => {
      await insert(tx, 'a')
      throw new Error('refused')
    })
    const discarded = store.write((tx) => insert(tx, 'b'), { discard: true })
    expect(await commits(() => Promise.allSettled([refused, discarded]))).to.equal(0)
  })

  it('runs each unit of work once, and all again if a unit of work with writes is refused', async () => {
    const runs: string[] = []
    const work = (id: string, refused = false) =>
      store.write(async (tx) => {
        runs.push(id)
        await insert(tx, id)
        if (refused) throw new Error(id)
      })
    await Promise.all([work('a'), work('b')])
    expect(runs.splice(0)).to.deep.equal(['a', 'b'])

    const [, refusal] = await Promise.all([work('c'), rejection(work('d', true)), work('e')])
    expect(refusal).to.have.property('message', 'd')
    expect(runs.splice(0)).to.deep.equal(['c', 'd', 'c', 'd', 'e'])
    expect(await storedIds(store)).to.deep.equal(['a', 'b', 'c', 'e'])

    await Promise.all([
      work('f'),
      rejection(store.write(() => Promise.reject(new Error('reads only')))),
      work('g'),
    ])
    expect(runs).to.deep.equal(['f', 'g'])
    expect(await commits(() => rejection(work('h', true)))).to.equal(0)
    expect(runs).to.deep.equal(['f', 'g', 'h'])
  })

  it('answers only after the commit', async () => {
    const told: number[] = []
    const before = commitsIn(path)
    const works = ['a', 'b'].map((id) =>
      store.write((tx) => insert(tx, id)).then(() => told.push(commitsIn(path) - before)),
    )
    await Promise.all(works)
    expect(told).to.deep.equal([1, 1])
  })

  it('refuses all units of work of a failed commit, and continues with the next', async () => {
    const works = await Promise.allSettled([
      store.write((tx) => insert(tx, 'a')),
      store.write(async (tx) => {
        await using({ reads: [], schema: true }, sql`pragma defer_foreign_keys = on`).execute(tx.any)
        await orphan(tx)
      }),
      store.write((tx) => insert(tx, 'b')),
    ])
    expect(works.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected', 'rejected'])
    await store.write((tx) => insert(tx, 'c'))
    expect(await storedIds(store)).to.deep.equal(['c'])
  })

  it('reports a full disk, keeps no partial change, and continues when there is space again', async () => {
    const pages = (most: number) =>
      store.write((tx) => using({ reads: [] }, sql.raw(`pragma max_page_count = ${most}`)).execute(tx.any))
    await pages(1)
    const works = await Promise.allSettled([
      store.write((tx) => insert(tx, 'a')),
      store.write((tx) => insert(tx, 'x'.repeat(500_000))),
    ])
    const [first, second] = works
    expect(second).to.have.property('status', 'rejected')
    expect(second).to.have.nested.property('reason.problem', 'disk_full')
    expect(await storedIds(store)).to.deep.equal(first?.status === 'fulfilled' ? ['a'] : [])
    await pages(1_000_000)
    await store.write((tx) => insert(tx, 'b'))
    expect(await storedIds(store)).to.include('b')
  })

  it('settles every unit of work while a rollback fails, keeps none, and continues afterwards', async () => {
    const connection = SqliteConnection.writer(path)
    try {
      const queue = new CommitQueue(connection, undefined)
      const rows = connection.database.prepare('select 1 union select 2')
      let reading: Iterator<unknown> | undefined
      const works = Array.from({ length: 200 }, (_, n) =>
        queue.write(async (tx) => {
          await insert(tx, `a${n}`)
          // A connection that reads row by row refuses to write and to roll back.
          if (n === 127) reading = rows.iterate()
        }),
      )
      const settled = await Promise.allSettled(works)
      expect(settled.filter(({ status }) => status === 'fulfilled')).to.deep.equal([])
      reading?.return?.()
      await queue.write((tx) => insert(tx, 'b'))
      expect(await storedIds(store)).to.deep.equal(['b'])
    } finally {
      connection.close()
    }
  })

  it('refuses new work after it was closed, and finishes earlier work', async () => {
    const begun = store.write((tx) => insert(tx, 'a'))
    await store.close()
    await begun
    await rejection(store.write((tx) => insert(tx, 'b')))
    await rejection(storedIds(store))
    store = await openStore({ home, environment: 'test', random: systemRandom, timers: noTimers })
    expect(await storedIds(store)).to.deep.equal(['a'])
  })

  it('waits for another writing process, and reports if that takes too long', async () => {
    const other = new BetterSqlite(path)
    other.exec('begin immediate')
    const connection = SqliteConnection.writer(path)
    try {
      const impatient = new CommitQueue(connection, undefined, 1)
      const error = await rejection(impatient.write((tx) => insert(tx, 'a')))
      expect(explainSqliteError(error, path)).to.be.instanceOf(StoreError).with.property('problem', 'busy')

      const waiting = store.write((tx) => insert(tx, 'b'))
      other.exec('commit')
      await waiting
      expect(await storedIds(store)).to.deep.equal(['b'])
    } finally {
      connection.close()
      other.close()
    }
  })
})

function orphan(tx: Tx): Promise<unknown> {
  const posting = { id: 'p', transaction_id: 'none', processing_id: 'none', currency: 'USD' }
  const move = { from_account: 'a', to_account: 'b', amount: 1, created_at: '2025-01-01 00:00:00' }
  return tx.db
    .insertInto('postings')
    .values({ ...posting, ...move })
    .execute()
}
