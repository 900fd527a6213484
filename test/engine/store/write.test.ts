import { expect } from 'chai'
import { sql } from 'kysely'
import { prepared } from '../../../src/engine/store/database/prepared.js'
import type { Store } from '../../../src/engine/store/database/store.js'
import { isCheckViolation, isUniqueViolation } from '../../../src/engine/store/database/store-error.js'
import { counted, idsIn, increment, insert, storedIds } from '../../support/counters.js'
import { onDatabases } from '../../support/databases.js'
import { rejection } from '../../support/rejection.js'

describe('a unit of work', () => {
  onDatabases('locks', (open) => {
    let store: Store
    beforeEach(async () => {
      store = (await open()).store
    })

    it('is stored as a whole, and returns its result', async () => {
      const answer = await store.write(async (tx) => [await insert(tx, 'a'), await insert(tx, 'b')])
      expect(answer).to.deep.equal([1, 1])
      expect(await storedIds(store)).to.deep.equal(['a', 'b'])
    })

    it('writes no row if it throws, and its own error is thrown', async () => {
      const refusal = new Error('refused')
      const error = await rejection(
        store.write(async (tx) => {
          await insert(tx, 'a')
          throw refusal
        }),
      )
      expect(error).to.equal(refusal)
      expect(await storedIds(store)).to.deep.equal([])
    })

    it('writes no row if it is discarded, and still answers', async () => {
      const answer = store.write(
        async (tx) => {
          await insert(tx, 'a')
          return idsIn(tx)
        },
        { discard: true },
      )
      expect(await answer).to.deep.equal(['a'])
      expect(await storedIds(store)).to.deep.equal([])
    })

    it('that throws does not affect those started at the same time', async () => {
      const works = await Promise.allSettled([
        store.write((tx) => insert(tx, 'a')),
        store.write(async (tx) => {
          await insert(tx, 'b')
          throw new Error('refused')
        }),
        store.write((tx) => insert(tx, 'c')),
        store.write((tx) => insert(tx, 'd'), { discard: true }),
        store.write((tx) => insert(tx, 'e')),
      ])
      expect(works.map(({ status }) => status)).to.deep.equal([
        'fulfilled',
        'rejected',
        'fulfilled',
        'fulfilled',
        'fulfilled',
      ])
      expect(await storedIds(store)).to.deep.equal(['a', 'c', 'e'])
    })

    it('loses no update when many increase the same counter', async () => {
      await store.write((tx) => insert(tx, 'a'))
      await Promise.all(Array.from({ length: 200 }, () => store.write((tx) => increment(tx, 'a'))))
      expect(await counted(store, 'a')).to.equal(200)
    })

    it('is invisible to reads before its commit, and visible to every read after it', async () => {
      const during = await store.write(async (tx) => {
        await insert(tx, 'a')
        return storedIds(store)
      })
      expect(during).to.deep.equal([])
      expect(await storedIds(store)).to.deep.equal(['a'])
    })

    it('that continues after a failed statement is not acknowledged in part', async () => {
      await store.write((tx) => insert(tx, 'a'))
      const outcome = await store
        .write(async (tx) => {
          await insert(tx, 'b')
          await rejection(insert(tx, 'a'))
        })
        .then(
          () => 'stored',
          () => 'refused',
        )
      expect(await storedIds(store)).to.deep.equal(outcome === 'stored' ? ['a', 'b'] : ['a'])
    })

    it('can detect a unique value that exists already', async () => {
      await store.write((tx) => insert(tx, 'a'))
      const error = await rejection(store.write((tx) => insert(tx, 'a')))
      expect(isUniqueViolation(error)).to.equal(true)
      expect(isCheckViolation(error)).to.equal(false)
    })

    it('refuses a prepared query if a parameter is missing', async () => {
      const error = await rejection(store.write((tx) => tx.change(incomplete, {})))
      expect(error).to.be.instanceOf(TypeError)
      expect(error.message).to.include('without a value for id')
    })
  })
})

const incomplete = prepared<{ id?: string }, unknown>((db, param) =>
  db
    .updateTable('accounts')
    .set({ transaction_limit: 1 })
    .where('id', '=', sql<string>`${param('id')}`),
)
