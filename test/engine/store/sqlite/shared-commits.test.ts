import { rmSync } from 'node:fs'
import { expect } from 'chai'
import fc from 'fast-check'
import { Statements } from '../../../../src/engine/core/read/statements.js'
import type { Store, Tx } from '../../../../src/engine/store/database/store.js'
import { openStore } from '../../../../src/engine/store/open-store.js'
import { Model } from '../../../../src/model/model.js'
import { codeOf } from '../../../../src/platform/error-code.js'
import { systemRandom } from '../../../../src/platform/random.js'
import { resources } from '../../../../src/resources/resource-table.js'
import { registryOf } from '../../../../src/schema/registry.js'
import { insertBatch, insertBatchRow, replaceBatchRow } from '../../../support/batch-rows.js'
import { increment, insert } from '../../../support/counters.js'
import { emptyHome } from '../../../support/home.js'

const { byId } = new Statements('sqlite').of(new Model(registryOf(resources)).get('account'))

const BATCHES = ['f', 'g', 'h'] as const

/** A step of a unit of work. There are few ids, so that units of work affect the same rows. */
const step = fc.record({
  does: fc.constantFrom(
    'insert',
    'raise',
    'batch',
    'pair',
    'row',
    'replace',
    'byId',
    'count',
    'caught',
    'throw',
  ),
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  of: fc.constantFrom(...BATCHES),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

describe('units of work that share a commit', () => {
  const stores: { home: string; store: Store }[] = []
  beforeEach(async () => {
    for (let n = 0; n < 2; n++) {
      const home = emptyHome()
      stores.push({ home, store: await openStore({ home, environment: 'test', random: systemRandom }) })
    }
  })
  afterEach(async () => {
    for (const { home, store } of stores.splice(0)) {
      await store.close()
      rmSync(home, { recursive: true })
    }
  })

  it('have the same answers and results as in separate commits, one after another', async () => {
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 6 }), { maxLength: 8 }), async (works) => {
        run++
        const [shared, apart] = stores.map(({ store }) => store)
        if (!shared || !apart) throw new Error('There are two stores')
        for (const store of [shared, apart]) {
          // A unit of work reads a row before it refers to it, so there are no references to later rows.
          for (const id of BATCHES) await store.write((tx) => tx.change(insertBatch, { id: `r${run}-${id}` }))
        }
        const atOnce = await Promise.all(works.map((steps) => answerOf(shared, steps, `r${run}-`)))
        const inTurn = []
        for (const steps of works) inTurn.push(await answerOf(apart, steps, `r${run}-`))
        expect(atOnce).to.deep.equal(inTurn)
        expect(await contentOf(shared, `r${run}-`)).to.deep.equal(await contentOf(apart, `r${run}-`))
      }),
      { numRuns: 300 },
    )
  })
})

/** Answers of each step of a unit of work, or the code of the error that ended it. */
async function answerOf(store: Store, steps: readonly Step[], run: string): Promise<unknown> {
  const work = async (tx: Tx) => {
    const answers: unknown[] = []
    for (const each of steps) answers.push(await perform(tx, each, run))
    return answers
  }
  return await store.write(work).catch((error: unknown) => codeOf(error) ?? String(error))
}

async function perform(tx: Tx, { does, id, of }: Step, run: string): Promise<unknown> {
  const named = `${run}${id}`
  const row = { id: named, batch_id: `${run}${of}`, error: of }
  switch (does) {
    case 'insert':
      return await insert(tx, named)
    case 'raise':
      return await increment(tx, named)
    case 'batch':
      return await tx.change(insertBatch, { id: `${named}x` })
    case 'pair':
      await tx.change(insertBatch, { id: `${named}x` })
      return await tx.change(insertBatchRow, { ...row, batch_id: `${named}x` })
    case 'row':
      return await tx.change(insertBatchRow, row)
    case 'replace':
      return await tx.change(replaceBatchRow, row)
    case 'byId':
      return (await tx.run(byId, { id: named })).map(({ id }) => id)
    case 'count':
      return (await contentIn(tx, run)).length
    case 'caught':
      return await insert(tx, named).catch((error: unknown) => codeOf(error))
    case 'throw':
      throw new Error(`${id} is refused`)
  }
}

const contentOf = (store: Store, run: string) => store.read((tx) => contentIn(tx, run))

/** All rows of a run, with the columns that steps change. */
async function contentIn({ db }: Tx, run: string): Promise<unknown[]> {
  const like = `${run}_%`
  const counters = db.selectFrom('accounts').select(['id', 'transaction_limit']).where('id', 'like', like)
  const batches = db.selectFrom('batches').select('id').where('id', 'like', like)
  const rows = db.selectFrom('batch_rows').select(['id', 'batch_id', 'error']).where('id', 'like', like)
  return [
    ...(await counters.orderBy('id').execute()),
    ...(await batches.orderBy('id').execute()),
    ...(await rows.orderBy('id').execute()),
  ]
}
