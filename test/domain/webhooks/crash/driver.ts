import { openApp } from '../../../../src/app.js'
import { owner } from '../../../../src/engine/core/request/principal.js'
import type { JsonObject } from '../../../../src/schema/json.js'
import { seededChance } from '../../../support/chance.js'
import type { Place } from '../../../support/databases.js'
import { processingAccount } from '../../../support/examples.js'
import { openReceiver } from '../../../support/receiver.js'
import { type Server, startServer } from '../../../support/server-process.js'
import { hostile } from '../hostile.js'

export interface DeliveryCrash {
  readonly place: Place
  /** Minimum number of events. */
  readonly events: number
  readonly kills: number
  readonly seed: number
  /** Maximum time until a server is killed, in milliseconds. */
  readonly longest: number
  readonly tell?: (line: string) => void
}

/** Result of the deliveries. */
export interface Arrived {
  readonly events: number
  /** Ids of events that never arrived. */
  readonly missing: readonly string[]
  /** Received ids that belong to no event. */
  readonly unknown: readonly string[]
  /** Number of events that were delivered again because their acceptance was not yet recorded. */
  readonly twice: number
  /** Whether a delivery had the id of another event. */
  readonly isMixed: boolean
}

const FLAGS = ['--webhook-timeout', '1']
const LOT = 100

/**
 * Creates events on `payctl serve` and kills it at random moments while it delivers. The receiver misbehaves
 * at the first delivery of an event. Returns the result of the deliveries.
 */
export async function crashDelivery({
  place,
  events,
  kills,
  seed,
  longest,
  tell,
}: DeliveryCrash): Promise<Arrived> {
  const chance = seededChance(seed)
  const taken = new Map<string, number>()
  const bodies = new Map<string, Set<string>>()
  let wake: () => void = () => undefined
  const good = hostile(chance, 0, ({ received: { headers } }) => {
    const id = String(headers['webhook-id'])
    taken.set(id, (taken.get(id) ?? 0) + 1)
    wake()
  })
  const bad = hostile(chance, 100, ({ received: { headers }, isTaken }) => {
    const id = String(headers['webhook-id'])
    if (isTaken) taken.set(id, (taken.get(id) ?? 0) + 1)
    wake()
  })
  const receiver = await openReceiver((received, response) => {
    const id = String(received.headers['webhook-id'])
    const known = bodies.get(id)
    bodies.set(id, (known ?? new Set()).add(received.body))
    if (!known && chance.percent(20)) bad(received, response)
    else good(received, response)
  })
  try {
    const { key, processing } = await prepare(place, receiver.address)
    const make = async (server: Server) => await makeEvents(server, key, processing)
    let server = await startServer(place, FLAGS)
    while ((await eventsOf(place)).length < events) await make(server)
    for (let kill = 1; kill <= kills; kill++) {
      await killLater(server, chance.integer(20, longest), async () => await make(server))
      tell?.(`kill ${kill}: ${taken.size} events were taken`)
      server = await startServer(place, FLAGS)
    }
    const all = await eventsOf(place)
    while (!all.every((id) => taken.has(id))) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    await server.stop()
    return {
      events: all.length,
      missing: all.filter((id) => !taken.has(id)),
      unknown: [...bodies.keys()].filter((id) => !all.includes(id)),
      twice: [...taken.values()].filter((times) => times > 1).length,
      isMixed: [...bodies.values()].some(({ size }) => size > 1),
    }
  } finally {
    await receiver.close()
  }
}

/** Kills a server after a delay, during any work; requests during that time may or may not succeed. */
async function killLater(server: Server, milliseconds: number, ask: () => Promise<void>): Promise<void> {
  const killed = new Promise<void>((resolve) => {
    setTimeout(() => {
      server.kill()
      resolve()
    }, milliseconds)
  })
  for (let asked = 0; asked < 5 && !server.isKilled; asked++)
    await ask().catch((error: unknown) => {
      if (!server.isKilled) throw error
    })
  await killed
  await server.ended
}

async function prepare(place: Place, url: string) {
  const app = openApp({ home: place.home, ...(place.databaseUrl && { databaseUrl: place.databaseUrl }) })
  try {
    const { core } = await app.environment('test')
    const ask = async (path: string, body: JsonObject) =>
      (await core.handle({ method: 'POST', path, body, principal: owner })).body
    const { secret_key: key } = await ask('/admin/keys', {})
    const { id } = await ask('/processing_accounts', processingAccount())
    await ask('/webhooks', { trigger: 'payment_link:status', url })
    return { key: String(key), processing: String(id) }
  } finally {
    await app.close()
  }
}

async function makeEvents({ address }: Server, key: string, processing_id: string): Promise<void> {
  const link = { amount: 1, description: 'A book', processing_id }
  const response = await fetch(`${address}/payment_links`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(Array.from({ length: LOT }, () => link)),
  })
  await response.text()
  if (response.status !== 200) throw new Error(`The service answered ${response.status}`)
}

async function eventsOf({ home, databaseUrl }: Place): Promise<string[]> {
  const app = openApp({ home, ...(databaseUrl && { databaseUrl }) })
  try {
    return await (await app.environment('test')).core.read(async ({ tx: { db } }) => {
      const rows = await db
        .selectFrom('events')
        .select('id')
        .where('trigger', '=', 'payment_link:status')
        .execute()
      return rows.map(({ id }) => id)
    })
  } finally {
    await app.close()
  }
}
