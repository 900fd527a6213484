import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { openStore } from '../../src/engine/store/open-store.js'
import { systemRandom } from '../../src/platform/random.js'
import { Client, type Reached } from '../../test/crash/client.js'
import { openService } from '../../test/crash/driver.js'
import { Known } from '../../test/crash/known.js'
import { verdict } from '../../test/crash/verdict.js'
import { seededChance } from '../../test/support/chance.js'
import { connected } from '../../test/support/postgres.js'
import { type PostgresPair, startPostgresPair } from '../../test/support/postgres-server.js'
import { type Proxy as DatabaseProxy, openProxy } from '../../test/support/proxy.js'
import { startServer } from '../../test/support/server-process.js'

const CLIENTS = 16
/**
 * Minimum and maximum number of acknowledged payments before the primary is killed. `AFTER` is the number of
 * payments after the standby has taken over.
 */
const BEFORE = [100, 1_000] as const
const AFTER = 300
/** Milliseconds between two checks of this script; `RETRY` is the time between two attempts of a client. */
const GLANCE = 20
const RETRY = 200

export interface FailOver {
  readonly known: Known
  /** Milliseconds from the kill of the primary until the next payment was acknowledged. */
  readonly interrupted: number
  /** Problems found, in words. */
  readonly problems: readonly string[]
}

/**
 * Takes payments on a primary with a synchronous standby, kills the primary and promotes the standby. The standby then
 * answers at the primary's address, as behind the proxy of a cluster, while `payctl serve` runs on. Finally compares
 * the acknowledged payments with those of the standby.
 */
export async function failOver(home: string, seed: number): Promise<FailOver> {
  const pair = await startPostgresPair()
  const proxy = await openProxy(portOf(pair.primary.url))
  try {
    await query(`${pair.primary.url}postgres`, 'create database shop')
    return await takePayments(pair, proxy, home, seed)
  } finally {
    await proxy.cut()
    await Promise.all([pair.primary.stop(), pair.standby.stop()])
  }
}

async function takePayments(
  pair: PostgresPair,
  proxy: DatabaseProxy,
  home: string,
  seed: number,
): Promise<FailOver> {
  const chance = seededChance(seed)
  const place = {
    dialect: 'postgres',
    home,
    databaseUrl: `postgres://payctl@127.0.0.1:${proxy.port}/shop`,
  } as const
  const service = await openService(place)
  const server = await startServer(place)
  const known = new Known()
  const reached = { address: server.address, isKilled: false }
  const clients = Array.from({ length: CLIENTS }, (_, index) => {
    const choices = seededChance(chance.integer(0, 2 ** 32 - 1))
    return new Client(`c${index}`, choices, service, known, () => pause(RETRY))
  })
  const working = clients.map((client) => client.work(reached, () => undefined))
  const ended = Promise.allSettled(working).then((outcomes) => {
    reached.isKilled = true
    return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []))
  })
  const interrupted = await killed(pair, proxy, reached, known, chance.integer(...BEFORE))
  reached.isKilled = true
  const problems = await ended
  const code = await server.stop()
  if (code !== 0) problems.push(`The server ended with ${code}`)
  const store = await openStore({ ...place, environment: 'test', random: systemRandom })
  try {
    return { known, interrupted, problems: [...problems, ...(await verdict(store, known))] }
  } finally {
    await store.close()
  }
}

/** Kills the primary after some payments; resolves to the milliseconds until the next one was acknowledged. */
async function killed(
  { primary, standby }: PostgresPair,
  proxy: DatabaseProxy,
  reached: Reached,
  known: Known,
  before: number,
): Promise<number> {
  const taken = async (count: number) => {
    while (known.payments.length < count && !reached.isKilled) await pause(GLANCE)
  }
  await taken(before)
  const begun = performance.now()
  primary.kill()
  await proxy.cut()
  await query(`${standby.url}postgres`, 'select pg_promote()')
  await proxy.restore(portOf(standby.url))
  const then = known.payments.length
  await taken(then + 1)
  const interrupted = performance.now() - begun
  await taken(then + AFTER)
  return interrupted
}

async function query(connectionString: string, text: string): Promise<void> {
  await connected(connectionString, (client) => client.query(text))
}

function portOf(url: string): number {
  return Number(new URL(url).port)
}
