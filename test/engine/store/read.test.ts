import { expect } from 'chai'
import { prepared } from '../../../src/engine/store/database/prepared.js'
import type { Store } from '../../../src/engine/store/database/store.js'
import { idsIn, insert, storedIds } from '../../support/counters.js'
import { onDatabases } from '../../support/databases.js'
import { rejection } from '../../support/rejection.js'

const ids = prepared<object, { id: string }>((db) => db.selectFrom('accounts').select('id').orderBy('id'))

describe('a read', () => {
  onDatabases('locks', (open) => {
    let store: Store
    beforeEach(async () => {
      store = (await open()).store
      await store.write((tx) => insert(tx, 'a'))
    })

    it('sees one snapshot, whatever is committed during it', async () => {
      const seen = await store.read(async (tx) => {
        const before = await idsIn(tx)
        await store.write((writing) => insert(writing, 'b'))
        return [before, await idsIn(tx)]
      })
      expect(seen).to.deep.equal([['a'], ['a']])
      expect(await storedIds(store)).to.deep.equal(['a', 'b'])
    })

    it('of one statement sees all earlier commits, even beside an older read', async () => {
      const [seen, asked] = await store.read(async (tx) => {
        const before = await idsIn(tx)
        await store.write((writing) => insert(writing, 'b'))
        return [before, store.run(ids, {})] as const
      })
      expect(seen).to.deep.equal(['a'])
      expect(await asked).to.deep.equal([{ id: 'a' }, { id: 'b' }])
    })

    it('cannot write', async () => {
      await rejection(store.read((tx) => insert(tx, 'b')))
      expect(await storedIds(store)).to.deep.equal(['a'])
    })

    it('that throws does not affect the next read', async () => {
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
