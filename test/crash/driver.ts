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
  /** An empty home; the database is created during the test. */
  readonly place: Place
  readonly kills: number
  readonly seed: number
  /** Called with progress messages. */
  readonly tell?: (line: string) => void
}

export interface CrashReport {
  readonly known: Known
  /** Problems found, in words. */
  readonly problems: readonly string[]
}

const CLIENTS = 16
/** Maximum number of requests to a server before it is killed. */
const MOST_REQUESTS = 600

/**
 * Starts `payctl serve` with 16 clients, kills it with SIGKILL at a random moment, and restarts it on the
 * same database, repeatedly. Finally all requests in flight are answered, and the acknowledged payments are
 * compared with the stored ones. The seed decides the requests and the times of the kills, but not the
 * server's progress by then.
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

/** Counts requests, and kills the server a few milliseconds after one of them. */
function killer(server: Server, chance: Chance): () => void {
  const last = chance.integer(1, MOST_REQUESTS)
  const milliseconds = chance.integer(0, 5)
  let sent = 0
  return () => {
    if (++sent === last) setTimeout(() => server.kill(), milliseconds)
  }
}

/** Errors of clients; the other clients continue. */
async function failures(working: readonly Promise<void>[]): Promise<string[]> {
  const outcomes = await Promise.allSettled(working)
  return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []))
}

/** Creates a key and an account that takes payments, and then closes the database. */
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

/** Output on stderr as a problem: a server that finds its database intact prints none. */
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
