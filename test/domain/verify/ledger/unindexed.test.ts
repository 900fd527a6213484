import { expect } from 'chai'
import { sql } from 'kysely'
import { transactions } from '../../../../src/domain/verify/ledger/transactions.js'
import {
  GatheredUnindexed,
  type GatheringLimits,
  nearEvents,
  READ_EACH_TIME,
} from '../../../../src/domain/verify/ledger/unindexed.js'
import type { Finding } from '../../../../src/domain/verify/pass/finding.js'
import { type Examined, pagesFrom } from '../../../../src/domain/verify/pass/pass.js'
import { idOf, openCore, type TestCore } from '../../../support/core.js'
import { onDatabases, onSqlite } from '../../../support/databases.js'
import { makeProcessing, pay } from '../../../support/examples.js'
import { asOutsider } from '../../../support/outsider.js'
import { story } from '../story.js'

const HOUR = 3_600_000
/** Limits that force many small reads, repeated for most transactions. */
const FEW: GatheringLimits = { stretch: 3, mostKept: 1 }
const MANY: GatheringLimits = { stretch: 1_000, mostKept: 1_000 }

describe('facts that no index links to a transaction', () => {
  onDatabases('sql', (open) => {
    const time = { now: Date.now() }
    let core: TestCore
    let voided: string
    before(async () => {
      core = await openCore(open, { clock: { now: () => time.now } })
      await story(core)
      const processing = await makeProcessing(core)
      voided = idOf(await pay(core, processing, 500, { status: 'authorized' }))
      time.now += HOUR
      await core.ok('PUT', `/transactions/${voided}`, { status: 'voided' })
    })

    async function ids(): Promise<string[]> {
      return await core.environment.core.read(async ({ tx }) => {
        const rows = await tx.db.selectFrom('transactions').select('id').orderBy('id').execute()
        return rows.map(({ id }) => id)
      })
    }

    async function findings(limits: GatheringLimits) {
      const { read } = core.environment.core
      const pass = transactions(limits)
      const pages = pagesFrom('', (after) => read(async (work) => await pass.examine(work, after)))
      return await sumOf(pages)
    }

    it('are the same as after reading everything for each page', async () => {
      const page = await ids()
      await core.environment.core.read(async (work) => {
        const gathered = new GatheredUnindexed(MANY)
        while (await gathered.readOn(work, ''));
        const events = await gathered.events(work.tx, page)
        expect(events).to.deep.equal(await READ_EACH_TIME.events(work.tx, page))
        expect(events.filter(({ object_id: id }) => id === voided).map(({ value }) => value)).to.include(
          'voided',
        )
        const charges = await gathered.charges(work.tx, page)
        expect(charges).to.deep.equal(await READ_EACH_TIME.charges(work.tx, page))
        expect(charges.size).to.be.above(0)
      })
    })

    it('have no findings in valid books, in one go or in pieces', async () => {
      const count = (await ids()).length
      for (const limits of [MANY, FEW]) expect(await findings(limits)).to.deep.equal({ count, findings: [] })
    })

    it('have a finding about an event long after its transaction', async () => {
      await asOutsider(
        core.place,
        `update events set value = 'processed' where object_id = '${voided}' and trigger = 'void'`,
      )
      for (const limits of [MANY, FEW]) {
        const found = await findings(limits)
        expect(found.findings.map(({ check, id }) => `${check} ${id}`)).to.deep.equal([`events ${voided}`])
      }
    })
  })

  onSqlite((open) => {
    it('are found through the ids of events of the same time', async () => {
      const core = await openCore(open)
      const plan = await core.environment.core.read(
        async ({ tx: { db } }) =>
          await nearEvents(db, ['txn_1', 'txn_2']).explain<{ detail: string }>(undefined, sql`query plan`),
      )
      expect(plan.map(({ detail }) => detail)).to.deep.equal([
        'SEARCH events USING PRIMARY KEY (id>? AND id<?)',
      ])
    })
  })
})

async function sumOf(pages: AsyncIterable<Examined>): Promise<Examined> {
  const findings: Finding[] = []
  let count = 0
  for await (const page of pages) {
    count += page.count
    findings.push(...page.findings)
  }
  return { count, findings }
}
