import { openApp } from '../../src/app.js'
import type { Core } from '../../src/engine/core/core.js'
import { owner } from '../../src/engine/core/request/principal.js'
import type { JsonObject } from '../../src/schema/json.js'
import { seededChance } from '../../test/support/chance.js'
import { idOf, valuesOf } from '../../test/support/core.js'
import type { Place } from '../../test/support/databases.js'
import { card, processingAccount } from '../../test/support/examples.js'
import { openReceiver } from '../../test/support/receiver.js'
import { Fleet } from './fleet.js'
import { races } from './races.js'

export interface RacesOptions {
  readonly place: Place
  readonly rounds: number
  /** Number of `payctl serve` processes on the database. */
  readonly serves: number
  /** Number of clients that send the same request at once. */
  readonly clients: number
  readonly seed: number
  /** Clock in milliseconds, to measure the durations of answers. */
  readonly now: () => number
  readonly tell?: (line: string) => void
}

export interface RacesReport {
  readonly problems: readonly string[]
  readonly slowest: Fleet['slowest']
  /** Answers that say that the client should retry later. */
  readonly busy: readonly string[]
  /** Number of payment events; `twice` is the number of repeated deliveries of accepted events. */
  readonly events: number
  readonly twice: number
  readonly kills: number
}

/**
 * Sends requests that exclude each other to several `payctl serve` processes on one database, while due jobs and
 * deliveries run. Kills each server in turn, and verifies the books at the end.
 */
export async function runRaces(options: RacesOptions): Promise<RacesReport> {
  const { place, rounds, serves, clients, seed, now, tell = () => undefined } = options
  const chance = seededChance(seed)
  const fleet = new Fleet(place, chance, now)
  const told = new Map<string, number>()
  const receiver = await openReceiver(({ headers }, response) => {
    const id = String(headers['webhook-id'])
    told.set(id, (told.get(id) ?? 0) + 1)
    response.end()
  })
  let kills = 0
  try {
    await fleet.start(serves)
    await fleet.ok('POST', '/webhooks', { trigger: 'payment', url: receiver.address })
    for (let round = 1; round <= rounds; round++) {
      for (const [what, race] of Object.entries(races))
        for (const problem of await race(fleet, { clients, name: `Round ${round} ${what.length}` }))
          fleet.problems.push(`${what}: ${problem}`)
      fleet.problems.push(...(await dueWork(fleet)))
      tell(
        `round ${round}: ${fleet.problems.length} problems, slowest ${Math.round(fleet.slowest[0]?.milliseconds ?? 0)} ms`,
      )
    }
    const shop = await fleet.make('/processing_accounts', processingAccount('Of kills'))
    for (; kills < serves * Math.ceil(rounds / 10); kills++)
      await fleet.killDuring(kills % serves, () => payments(fleet, shop, clients))
    const events = await paymentEvents(place)
    while (events.some((id) => !told.has(id))) await new Promise((resolve) => setTimeout(resolve, 100))
    await fleet.stop()
    fleet.problems.push(...(await findings(place)))
    return {
      problems: fleet.problems,
      slowest: fleet.slowest,
      busy: fleet.busy,
      events: events.length,
      twice: [...told.values()].filter((times) => times > 1).length,
      kills,
    }
  } finally {
    await fleet.stop()
    await receiver.close()
  }
}

/** Sends `count` equal requests; each becomes a payment. */
async function payments(fleet: Fleet, processing_id: string, count: number): Promise<void> {
  const body = { type: 'payment', amount: 5, processing_id, payment_method: card() }
  await Promise.all(Array.from({ length: count }, () => fleet.ok('POST', '/transactions', body)))
}

/**
 * Advances the clock by two concurrent requests, while every server runs due jobs. Checks that each payment is paid out
 * once.
 */
async function dueWork(fleet: Fleet): Promise<string[]> {
  const account = await fleet.make('/processing_accounts', processingAccount())
  await payments(fleet, account, 5)
  await Promise.all([
    fleet.ask('POST', '/admin/clock', { by: '3d' }),
    fleet.ask('POST', '/admin/clock', { by: '3d' }),
  ])
  const deposits = valuesOf(await fleet.ok('GET', `/transactions?type=deposit&processing_id=${account}`))
  const paid = await Promise.all(
    deposits.map(async (deposit) =>
      valuesOf(await fleet.ok('GET', `/transaction_ledgers?transaction_id=${idOf(deposit)}`)),
    ),
  )
  const entries = paid.flat().map(({ assoc_transaction_id: id }) => id)
  return entries.length === 5 && new Set(entries).size === 5
    ? []
    : [`5 payments became ${entries.length} entries of ${deposits.length} deposits`]
}

async function paymentEvents(place: Place): Promise<string[]> {
  return await inCore(place, async (core) =>
    core.read(async ({ tx: { db } }) => {
      const rows = await db.selectFrom('events').select('id').where('trigger', '=', 'payment').execute()
      return rows.map(({ id }) => id)
    }),
  )
}

async function findings(place: Place): Promise<string[]> {
  const { body } = await inCore(place, (core) =>
    core.handle({ method: 'GET', path: '/admin/verify', principal: owner }),
  )
  return body.found === 0 ? [] : [`verify: ${JSON.stringify(body satisfies JsonObject).slice(0, 2_000)}`]
}

async function inCore<T>(place: Place, use: (core: Core) => Promise<T>): Promise<T> {
  const app = openApp(place)
  try {
    return await use((await app.environment('test')).core)
  } finally {
    await app.close()
  }
}
