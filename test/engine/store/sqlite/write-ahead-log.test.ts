import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect } from 'chai'
import { openStore } from '../../../../src/engine/store/open-store.js'
import type { Timers } from '../../../../src/platform/clock.js'
import { systemRandom } from '../../../../src/platform/random.js'
import { onSqlite } from '../../../support/databases.js'

const MEGABYTE = 2 ** 20

onSqlite((open) => {
  it('the write-ahead log stays short during uninterrupted writes', async () => {
    const { home } = await open.migrated()
    // Timers never fire.
    const timers = { after: () => () => undefined }
    const store = await openStore({ home, environment: 'test', random: systemRandom, timers })
    try {
      const content = Buffer.alloc(MEGABYTE / 4, 'x')
      for (let n = 0; n < 80; n++)
        await store.write(
          async ({ db }) =>
            await db
              .insertInto('attachment_contents')
              .values({ id: `att_${n}`, content })
              .execute(),
        )
      const { size } = statSync(join(home, 'test.db-wal'))
      expect(size).to.be.within(MEGABYTE, 10 * MEGABYTE)
    } finally {
      await store.close()
    }
  })

  describe('a second after a commit, the write-ahead log', () => {
    it('is emptied if there was no further commit', async () => {
      const { size, write, pass } = await opened()
      await write()
      expect(size()).to.be.greaterThan(0)
      pass()
      expect(size()).to.equal(0)
    })

    it('is kept while commits continue, for ten seconds at most', async () => {
      const { size, write, pass } = await opened()
      await write()
      for (let second = 1; second < 10; second++) {
        await write()
        pass()
        expect(size()).to.be.greaterThan(0)
      }
      await write()
      pass()
      expect(size()).to.equal(0)
    })

    /** A store whose timers a test fires. */
    async function opened() {
      const { home } = await open.migrated()
      const waiting = new Set<() => void>()
      const timers: Timers = {
        after(_milliseconds, then) {
          waiting.add(then)
          return () => waiting.delete(then)
        },
      }
      const store = await openStore({ home, environment: 'test', random: systemRandom, timers })
      after(() => store.close())
      const pass = () => {
        const due = [...waiting]
        waiting.clear()
        for (const then of due) then()
      }
      // The commits made when opening are checkpointed first.
      while (waiting.size > 0) {
        pass()
        await setImmediate()
      }
      let n = 0
      return {
        size: () => statSync(join(home, 'test.db-wal')).size,
        write: () =>
          store.write(({ db }) =>
            db
              .insertInto('attachment_contents')
              .values({ id: `att_${n++}`, content: Buffer.alloc(1) })
              .execute(),
          ),
        pass,
      }
    }
  })
})
