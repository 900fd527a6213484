import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { openApp } from '../../src/app.js'
import { owner } from '../../src/engine/core/request/principal.js'
import { openStore } from '../../src/engine/store/open-store.js'
import { systemRandom } from '../../src/platform/random.js'
import { type Chance, seededChance } from '../support/chance.js'
import { idOf } from '../support/core.js'
import type { Place } from '../support/databases.js'
import { processingAccount } from '../support/examples.js'
import { killStarting, type Server, startServer } from '../support/server-process.js'
import { Client, type Service } from './client.js'
import { Known } from './known.js'
import { verdict } from './verdict.js'

export interface CrashOptions {
  /** An empty home; the database is made here, under fire. */
  readonly place: Place
  readonly kills: number
  readonly seed: number
  /** Told how it goes on. */
  readonly tell?: (line: string) => void
}

export interface CrashReport {
  readonly known: Known
  /** What was found wrong, in words. */
  readonly problems: readonly string[]
}

const CLIENTS = 16
/** How many requests a server gets to see before it is killed. */
const MOST_REQUESTS = 600

/**
 * Starts `payctl serve`, puts 16 clients on it, kills it with SIGKILL at a random moment, starts it again on the
 * same database, and so on; then lets everything in flight be answered and compares what clients were told with what
 * is kept. The seed decides what is asked and when it is killed; how far the server has come by then, it does not.
 */
export async function crash({
  place,
  kills,
  seed,
  tell = () => undefined,
}: CrashOptions): Promise<CrashReport> {
  const chance = seededChance(seed)
  const problems: string[] = []
  for (let early = 0; early < Math.ceil(kills / 10); early++)
    await killStarting(place, chance.integer(30, 400))

  const service = await openService(place)
  const known = new Known()
  const clients = Array.from(
    { length: CLIENTS },
    (_, index) => new Client(`c${index}`, seededChance(chance.integer(0, 2 ** 32 - 1)), service, known),
  )
  for (let kill = 1; kill <= kills; kill++) {
    const server = await startServer(place)
    const sent = killer(server, chance)
    try {
      problems.push(...integrityProblems(place))
      problems.push(...(await failures(clients.map((client) => client.work(server, sent)))))
    } finally {
      server.kill()
    }
    problems.push(...complaints(await server.ended))
    tell(`kill ${kill}: ${known.payments.length} payments, ${known.refunds.length} refunds acknowledged`)
  }
  const last = await startServer(place)
  problems.push(...(await failures(clients.map((client) => client.finish(last)))))
  const code = await last.stop()
  problems.push(
    ...complaints(await last.ended),
    ...(code === 0 ? [] : [`The last server ended with ${code}`]),
  )
  return { known, problems: [...problems, ...integrityProblems(place), ...(await judge(place, known))] }
}

/** Counts requests, and kills a few milliseconds after one of them. */
function killer(server: Server, chance: Chance): () => void {
  const last = chance.integer(1, MOST_REQUESTS)
  const milliseconds = chance.integer(0, 5)
  let sent = 0
  return () => {
    if (++sent === last) setTimeout(() => server.kill(), milliseconds)
  }
}

/** What clients could not understand; the others go on. */
async function failures(working: readonly Promise<void>[]): Promise<string[]> {
  const outcomes = await Promise.allSettled(working)
  return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []))
}

/** A key and an account that takes payments, in a database that this process has then left again. */
export async function openService(place: Place): Promise<Service> {
  const app = openApp(place)
  try {
    const { core } = await app.environment('test')
    const post = async (path: string, body = {}) =>
      (await core.handle({ method: 'POST', path, body, principal: owner })).body
    const { secret_key: secretKey } = await post('/admin/keys')
    const processingId = idOf(await post('/processing_accounts', processingAccount()))
    return { secretKey: String(secretKey), processingId }
  } finally {
    await app.close()
  }
}

/** A server that finds its database as it left it has nothing to say. */
function complaints(stderr: string): string[] {
  return stderr === '' ? [] : [`The server complained: ${stderr}`]
}

function integrityProblems({ dialect, home }: Place): string[] {
  if (dialect !== 'sqlite') return []
  const database = new BetterSqlite(join(home, 'test.db'), { readonly: true })
  try {
    const found: unknown = database.pragma('integrity_check', { simple: true })
    return found === 'ok' ? [] : [`SQLite finds its file damaged: ${String(found)}`]
  } finally {
    database.close()
  }
}

async function judge(place: Place, known: Known): Promise<string[]> {
  const store = await openStore({ ...place, environment: 'test', random: systemRandom })
  try {
    return await verdict(store, known)
  } finally {
    await store.close()
  }
}
