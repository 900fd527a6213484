import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { seededChance } from '../../support/chance.js'
import { openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { makeProcessing } from '../../support/examples.js'
import { openReceiver } from '../../support/receiver.js'
import { hostile } from './hostile.js'

/** Number of events; set by PAYCTL_TEST_EVENTS. */
const EVENTS = Number(process.env['PAYCTL_TEST_EVENTS'] ?? 2_000)
const LOT = 1_000
/** Minimum delays after each attempt, in milliseconds. */
const PAUSES = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map(
  (seconds) => seconds * 1_000,
)

describe('many deliveries', () => {
  onDatabases((open) => {
    it(`all reach a hostile receiver, or are abandoned at the end of the schedule`, async () => {
      const time = { now: Date.UTC(2030, 0, 15, 17) }
      const core = await openCore(open, { clock: { now: () => time.now }, delivery: { timeout: 1_000 } })
      const told = new Map<string, { readonly bodies: Set<string>; readonly at: number[]; taken: number }>()
      const receiver = await openReceiver(
        hostile(seededChance(7), 20, ({ received: { headers, body }, isTaken }) => {
          const id = String(headers['webhook-id'])
          const known = told.get(id) ?? { bodies: new Set(), at: [], taken: 0 }
          known.bodies.add(body)
          known.at.push(time.now)
          if (isTaken) known.taken++
          told.set(id, known)
        }),
      )
      open.atEnd(() => receiver.close())
      await makeEvents(core, `${receiver.address}/`)

      let attempts = 0
      for (let due: number | undefined = time.now; due !== undefined; due = await lastDue(core)) {
        time.now = Math.max(time.now, due)
        attempts += await core.environment.deliver(new AbortController().signal)
      }

      expect(told.size).to.equal(EVENTS)
      const outcomes = await outcomesOf(core)
      expect(outcomes.delivered + outcomes.given_up).to.equal(EVENTS)
      for (const [id, { bodies, at, taken }] of told) {
        const pauses = at.slice(1).map((moment, n) => moment - (at[n] ?? 0))
        expect(
          pauses.every((pause, n) => pause >= (PAUSES[n] ?? 0)),
          `${id}: ${pauses}`,
        ).to.equal(true)
        expect(taken > 0 || at.length === 10, `${id} was told ${at.length} times`).to.equal(true)
        expect(bodies).to.have.length(1)
      }
      const { headers } = await core.send('GET', '/webhook_logs', undefined, {
        count: true,
        query: 'limit=1',
      })
      expect(Number(headers['X-Total-Count'])).to.equal(attempts)
      expect(receiver.received.every(({ path }) => path === '/')).to.equal(true)
    })
  })
})

async function makeEvents(core: TestCore, url: string): Promise<void> {
  const processing_id = await makeProcessing(core)
  await core.ok('POST', '/webhooks', { trigger: 'payment_link:status', url })
  const link: JsonObject = { amount: 1, description: 'A book', processing_id }
  for (let made = 0; made < EVENTS; made += LOT)
    await core.ok(
      'POST',
      '/payment_links',
      Array.from({ length: LOT }, () => link),
    )
}

/** Due time of the last planned attempt. */
async function lastDue(core: TestCore): Promise<number | undefined> {
  return await core.environment.core.read(async ({ tx: { db } }) => {
    const row = await db
      .selectFrom('deliveries')
      .select(({ fn }) => fn.max('due_at').as('due'))
      .executeTakeFirst()
    return row?.due ?? undefined
  })
}

async function outcomesOf(core: TestCore) {
  return await core.environment.core.read(async ({ tx: { db } }) => {
    const rows = await db.selectFrom('deliveries').select('outcome').execute()
    const count = (outcome: string) => rows.filter((row) => row.outcome === outcome).length
    return { delivered: count('delivered'), given_up: count('given_up') }
  })
}
