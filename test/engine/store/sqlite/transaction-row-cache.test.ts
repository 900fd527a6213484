import { rmSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { expect } from 'chai'
import { Statements } from '../../../../src/engine/core/read/statements.js'
import { prepared } from '../../../../src/engine/store/database/prepared.js'
import type { Store, Tx } from '../../../../src/engine/store/database/store.js'
import { openStore } from '../../../../src/engine/store/open-store.js'
import { Model } from '../../../../src/model/model.js'
import { systemRandom } from '../../../../src/platform/random.js'
import { resources } from '../../../../src/resources/resource-table.js'
import { registryOf } from '../../../../src/schema/registry.js'
import { increment, insert } from '../../../support/counters.js'
import { emptyHome } from '../../../support/home.js'
import { rejection } from '../../../support/rejection.js'

const { byId } = new Statements('sqlite').of(new Model(registryOf(resources)).get('account'))

const oldest = prepared<object, { id: string }>((db) =>
  db.selectFrom('accounts').select('id').where('deleted_at', 'is', null).orderBy('id').limit(1),
)

describe('cached rows of units of work in one commit', () => {
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

  const rowIn = async (tx: Tx) => (await tx.run(byId, { id: 'a' }))[0]
  const countIn = async (tx: Tx) => (await rowIn(tx))?.transaction_limit

  it('are read once', async () => {
    const [first, second] = await Promise.all([store.write(rowIn), store.write(rowIn)])
    expect(first).to.be.an('object').that.equals(second)
  })

  it('are looked up once without given values, and again after each change', async () => {
    const oldestIn = (tx: Tx) => tx.run(oldest, {})
    const [first, second, third] = await Promise.all([
      store.write(oldestIn),
      store.write(oldestIn),
      store.write(async (tx) => {
        await insert(tx, '0')
        return await oldestIn(tx)
      }),
    ])
    expect(first)
      .to.deep.equal([{ id: 'a' }])
      .that.equals(second)
    expect(third).to.deep.equal([{ id: '0' }])
  })

  it('are read again after each change, by any statement', async () => {
    const changed = async (tx: Tx) => {
      await increment(tx, 'a')
      return await countIn(tx)
    }
    const byKysely = async (tx: Tx) => {
      await tx.db.updateTable('accounts').set({ transaction_limit: 7 }).execute()
      return await countIn(tx)
    }
    const works = [countIn, changed, countIn, changed, byKysely, countIn]
    expect(await Promise.all(works.map((work) => store.write(work)))).to.deep.equal([0, 1, 1, 2, 7, 7])
  })

  it('are read again after a unit of work that changed them was refused', async () => {
    const refused = async (tx: Tx) => {
      await increment(tx, 'a')
      throw new Error(`refused at ${await countIn(tx)}`)
    }
    const [before, refusal, after] = await Promise.all([
      store.write(countIn),
      rejection(store.write(refused)),
      store.write(countIn),
    ])
    expect(refusal).to.have.property('message', 'refused at 1')
    expect([before, after]).to.deep.equal([0, 0])
    expect(await store.write(countIn)).to.equal(0)
  })

  it('are read again in the next commit, because another process may have changed them', async () => {
    expect([await store.write(countIn), await store.read(countIn)]).to.deep.equal([0, 0])
    const other = new BetterSqlite(join(home, 'test.db'))
    other.exec('update accounts set transaction_limit = 5')
    other.close()
    expect([await store.write(countIn), await store.read(countIn)]).to.deep.equal([5, 5])
  })
})
