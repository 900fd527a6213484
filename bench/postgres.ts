import { mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../test/support/postgres-server.js'
import { cardPayments } from './payments.js'
import { compared, cpuOf, type Sample } from './sample.js'
import { type Server, sample, startOurs, startPostgresReference, warm } from './servers.js'
import { openShop, payctlIn, root, type Setting } from './setting.js'
import type { Row } from './table.js'

const ROUNDS = 5
const CONNECTIONS = 32

/**
 * Measures durable card payments on PostgreSQL. Compares one `serve` process with three plain inserts in
 * groups. Also compares two `serve` processes on one database with a single process. The two either share the
 * connections of the load, or each has as many as the single process.
 */
export async function measurePostgres({ bin, isShort }: Setting): Promise<Row[]> {
  const home = mkdtempSync(join(root, '.payctl', 'bench', 'postgres-'))
  const postgres = await startPostgres({ parent: dirname(home), isDurable: true })
  const servers: Server[] = []
  const start = async (starting: Promise<Server>) => {
    const server = await starting
    servers.push(server)
    return server
  }
  try {
    const ours = await databaseOf(postgres.url, 'ours')
    const bare = await databaseOf(postgres.url, 'bare')
    const payctl = payctlIn(home, bin, ours)
    const shop = openShop(payctl)
    const reference = await start(startPostgresReference(bare))
    const environment = { PAYCTL_HOME: home, PAYCTL_DATABASE_URL: ours }
    const one = await start(startOurs(environment, bin))
    const other = await start(startOurs(environment, bin))
    const payments = cardPayments(shop)
    const pay = (server: Server, connections = CONNECTIONS) =>
      sample(server, { ...payments, connections, milliseconds: isShort ? 1_000 : 2_000 })
    const payBoth = async (connections: number) =>
      joined(await Promise.all([one, other].map((server) => pay(server, connections))))
    for (const server of [reference, one, other]) await warm(server, payments)
    const samples: Record<'reference' | 'one' | 'sharing' | 'both', Sample[]> = {
      reference: [],
      one: [],
      sharing: [],
      both: [],
    }
    for (let round = 0; round < (isShort ? 1 : ROUNDS); round++) {
      samples.reference.push(await pay(reference))
      samples.one.push(await pay(one))
      samples.sharing.push(await payBoth(CONNECTIONS / 2))
      samples.both.push(await payBoth(CONNECTIONS))
    }
    const what = `PostgreSQL: card payments, ${CONNECTIONS} connections`
    const grouped = { what, reference: 'three inserts, in groups', goal: { least: 0.25 } }
    return [
      compared(grouped, samples.one, samples.reference),
      ...ofTwo('the same by two `serve` that share them', samples.sharing, samples.one),
      ...ofTwo(`two \`serve\`, ${CONNECTIONS} connections each`, samples.both, samples.one),
    ]
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    await postgres.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

/**
 * Rows for two `serve` processes on one database. Goals: at least as many payments as a single process, and
 * at most 1.1 times its CPU time per payment.
 */
function ofTwo(what: string, two: readonly Sample[], one: readonly Sample[]): Row[] {
  const reference = 'one `serve`'
  const rate = compared({ what: `PostgreSQL: ${what}`, reference, goal: { least: 1 } }, two, one)
  const { ours, theirs, ratio } = cpuOf(two, one)
  const shown = { reference, ours: `${ours} µs`, theirs: `${theirs} µs` }
  return [rate, { what: `CPU a payment of ${what}`, ...shown, ratio, goal: { most: 1.1 } }]
}

/** Sample of two servers together: the sum of their rates, and the mean CPU time per operation. */
function joined(samples: readonly Sample[]): Sample {
  const perSecond = samples.reduce((sum, each) => sum + each.perSecond, 0)
  const cpu = samples.reduce((sum, each) => sum + each.cpu * each.perSecond, 0) / perSecond
  return { perSecond, cpu }
}

async function databaseOf(url: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: `${url}postgres` })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return `${url}${name}`
}
