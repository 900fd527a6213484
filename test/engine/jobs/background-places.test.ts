import { expect } from 'chai'
import { sql } from 'kysely'
import type { AppOptions } from '../../../src/app.js'
import { using } from '../../../src/engine/store/database/raw-use.js'
import { advance, jump, openBilling, run, schedule } from '../../domain/billing/schedules/schedules.js'
import type { TestCore } from '../../support/core.js'
import { onPostgres } from '../../support/databases.js'

/** Number of schedules: several times the units of work that a job runs at the same time. */
const SCHEDULES = 40

/** Connections: four for simultaneous work, one for sealing, and one to check seals. */
const MOST = 4 + 1 + 1

describe('due work of many customers', () => {
  onPostgres((open) => {
    const remote = { drill: { latency: 1, failRate: 0, loseAnswers: 0 } }
    const ways: [title: string, does: (core: TestCore) => Promise<unknown>][] = [
      ['a billing run', (core) => run(core)],
      ['an advance of the clock', (core) => advance(core, '1h')],
      ['the background jobs of serve', ({ environment }) => environment.runDueJobs()],
    ]
    for (const [title, does] of ways)
      for (const [gateway, options] of [
        ['an embedded gateway', {}],
        ['a remote gateway', remote],
      ] satisfies [string, Partial<AppOptions>][])
        it(`leaves half of the connections to clients in ${title}, with ${gateway}`, async () => {
          const shop = await openBilling(open, options)
          await jump(shop.core, '2026-11-21 15:00:00')
          for (let number = 0; number < SCHEDULES; number++) await schedule(shop, 'annually')
          await does(shop.core)
          const { paid, connections } = await seen(shop.core)
          expect(paid).to.equal(SCHEDULES)
          expect(connections).to.be.within(2, MOST)
        })
  })
})

/** Number of collected invoices and of open connections. */
async function seen({ app }: TestCore) {
  const { core } = await app.environment('test')
  return await core.read(async ({ tx }) => {
    const paid = await using(
      { reads: [] },
      sql<{ n: number }>`select count(*)::int as n from collections`,
    ).execute(tx.any)
    const open = await using(
      { reads: [] },
      sql<{ n: number }>`
      select count(*)::int as n from pg_stat_activity
      where datname = current_database() and application_name = 'payctl'`,
    ).execute(tx.any)
    return { paid: paid.rows[0]?.n, connections: open.rows[0]?.n }
  })
}
