import { expect } from 'chai'
import pg from 'pg'
import { findMissingLines } from '../../../src/domain/settlements/missing-lines.js'
import { storeSettlement } from '../../../src/domain/settlements/store-settlement.js'
import type { WorkRunner } from '../../../src/engine/jobs/due-job.js'
import { remoteSimulator } from '../../../src/gateways/simulator/remote-simulator.js'
import { idOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { type Databases, onDatabases, onPostgres } from '../../support/databases.js'
import { makeProcessing, pay } from '../../support/examples.js'
import { runnerBefore } from '../../support/runner-before.js'

const GATEWAY = { ...remoteSimulator(), name: 'up' }
/** The writes that look for missing transactions, and that store the line of a new settlement. */
const FINDS = 0
const STORES = 1

describe('a payment that is settled while transactions without a settlement are looked for', () => {
  onDatabases('locks', (open) => {
    it('has no open exception, whenever its line is stored', async () => {
      for (let at = 0, units = 1; at < units; at++) {
        const shop = await missingIn(open)
        units = 0
        const next = async () => {
          if (units++ === at) await shop.settle()
        }
        await shop.find(runnerBefore(shop.core, { read: next, write: next }))
        expect(await shop.openExceptions(), `unit ${at}`).to.deep.equal([])
      }
    })
  })

  onPostgres((open) => {
    it('has no open exception if the look comes before its line is committed', async () => {
      const shop = await missingIn(open)
      await overlapping(shop, { held: shop.settle, at: STORES, other: shop.find })
      expect(await shop.openExceptions()).to.deep.equal([])
    })

    it('has no open exception if its line comes before the exception is committed', async () => {
      const shop = await missingIn(open)
      await overlapping(shop, { held: shop.find, at: FINDS, other: shop.settle })
      expect(await shop.openExceptions()).to.deep.equal([])
    })
  })
})

type Shop = Awaited<ReturnType<typeof missingIn>>

/** A payment that its gateway has not settled, while it has settled another one of two weeks later. */
async function missingIn(open: Databases) {
  const core = await openCore(open)
  const id = idOf(await pay(core, await makeProcessing(core), 10))
  const added = await core.ok('POST', '/admin/gateways', {
    name: 'up',
    kind: 'peer',
    base_url: 'https://peer.example.com',
    credentials: { secret_key: 'test_secret_key_of_another' },
    since: '2020-01-01 00:00:00',
  })
  const runner = core.environment.core
  await runner.write(async ({ tx }) => {
    const moved = { gateway: 'up', gateway_id: 'ch_1', created_at: '2024-01-01 00:00:00' }
    await tx.db.updateTable('transactions').set(moved).where('id', '=', id).execute()
  })
  const settle = async (runner: WorkRunner, gatewayId: string, amount: number) => {
    const payment = { id: `l_${gatewayId}`, kind: 'payment', amount, fee: null, gatewayId } as const
    await storeSettlement(runner, GATEWAY, {
      id: `po_${gatewayId}`,
      currency: 'USD',
      gross: amount,
      fees: null,
      net: amount,
      settledAt: '2024-06-01 00:00:00',
      lines: [payment],
    })
  }
  await settle(runner, 'ch_of_another', 500)
  return {
    core,
    runner,
    settle: async (by: WorkRunner = runner) => await settle(by, 'ch_1', 1000),
    find: async (by: WorkRunner = runner) => await findMissingLines(by, { id: idOf(added), name: 'up' }),
    openExceptions: async () => {
      const raised = valuesOf(await core.ok('GET', '/admin/exceptions'))
      return raised.filter(({ status }) => status === 'open').map(({ explanation }) => explanation)
    },
  }
}

interface Overlapping {
  readonly held: (by: WorkRunner) => Promise<void>
  /** Number of the write of `held` that is committed only when `other` waits for it, or has ended. */
  readonly at: number
  readonly other: () => Promise<void>
}

async function overlapping({ core, runner }: Shop, { held, at, other }: Overlapping): Promise<void> {
  const reached = Promise.withResolvers<void>()
  const commits = Promise.withResolvers<void>()
  let writes = 0
  const first = held({
    read: async (work) => await runner.read(work),
    write: async (work) =>
      await runner.write(async (each) => {
        const answer = await work(each)
        if (writes++ === at) {
          reached.resolve()
          await commits.promise
        }
        return answer
      }),
  })
  await reached.promise
  let isOver = false
  const second = other().finally(() => {
    isOver = true
  })
  await somebodyWaits(core, () => isOver)
  commits.resolve()
  await Promise.all([first, second])
}

/** Returns when a connection waits for a lock that another connection holds, or when `isOver`. */
async function somebodyWaits(core: TestCore, isOver: () => boolean): Promise<void> {
  const client = new pg.Client({ connectionString: core.place.databaseUrl })
  await client.connect()
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  try {
    while (!isOver() && !(await client.query(waiting)).rowCount);
  } finally {
    await client.end()
  }
}
