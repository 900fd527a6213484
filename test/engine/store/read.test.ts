import { expect } from 'chai'
import type { Store } from '../../../src/engine/store/database/store.js'
import { idsIn, insert, storedIds } from '../../support/counters.js'
import { onEachDatabase } from '../../support/databases.js'
import { rejection } from '../../support/rejection.js'

describe('a read', () => {
  onEachDatabase((open) => {
    let store: Store
    beforeEach(async () => {
      store = (await open()).store
      await store.write((tx) => insert(tx, 'a'))
    })

    it('sees one moment, whatever is committed while it lasts', async () => {
      const seen = await store.read(async (tx) => {
        const before = await idsIn(tx)
        await store.write((writing) => insert(writing, 'b'))
        return [before, await idsIn(tx)]
      })
      expect(seen).to.deep.equal([['a'], ['a']])
      expect(await storedIds(store)).to.deep.equal(['a', 'b'])
    })

    it('cannot change anything', async () => {
      await rejection(store.read((tx) => insert(tx, 'b')))
      expect(await storedIds(store)).to.deep.equal(['a'])
    })

    it('that throws leaves the next one as it was', async () => {
      const failed = new Error('failed')
      const reads = [store.read(() => Promise.reject(failed)), storedIds(store)]
      expect(await Promise.allSettled(reads)).to.deep.equal([
        { status: 'rejected', reason: failed },
        { status: 'fulfilled', value: ['a'] },
      ])
    })

    it('streams rows one by one', async () => {
      await store.write((tx) => insert(tx, 'b'))
      const ids = await store.read(async (tx) => {
        const streamed: string[] = []
        for await (const { id } of tx.db.selectFrom('accounts').select('id').orderBy('id').stream())
          streamed.push(id)
        return streamed
      })
      expect(ids).to.deep.equal(['a', 'b'])
    })
  })
})
