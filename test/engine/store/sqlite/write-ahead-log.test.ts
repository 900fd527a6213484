import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { openStore } from '../../../../src/engine/store/open-store.js'
import { systemRandom } from '../../../../src/platform/random.js'
import { onSqlite } from '../../../support/databases.js'

const MEGABYTE = 2 ** 20

onSqlite((open) => {
  it('the write-ahead log stays short while writing goes on without a pause', async () => {
    const { home } = await open.migrated()
    // Nothing is ever done because time has gone by.
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
})
