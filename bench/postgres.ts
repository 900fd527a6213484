import { mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../test/support/postgres-server.js'
import { cardPayments } from './payments.js'
import { compared, type Sample } from './sample.js'
import { type Server, sample, startOurs, startPostgresReference, warm } from './servers.js'
import { openShop, payctlIn, root, type Setting } from './setting.js'
import type { Row } from './table.js'

const ROUNDS = 5
const CONNECTIONS = 32

/**
 * Durable card payments on PostgreSQL: one `serve` against three bare inserts that are written in groups, and two on one
 * database, which the same connections share, against one.
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
    const [ours, bare] = [await databaseOf(postgres.url, 'ours'), await databaseOf(postgres.url, 'bare')]
    const payctl = payctlIn(home, bin, ours)
    const shop = openShop(payctl)
    const reference = await start(startPostgresReference(bare))
    const environment = { PAYCTL_HOME: home, PAYCTL_DATABASE_URL: ours }
    const [one, other] = [await start(startOurs(environment, bin)), await start(startOurs(environment, bin))]
    const payments = cardPayments(shop)
    const pay = (server: Server, connections = CONNECTIONS) =>
      sample(server, { ...payments, connections, milliseconds: isShort ? 1_000 : 2_000 })
    const share = async () =>
      joined(await Promise.all([one, other].map((server) => pay(server, CONNECTIONS / 2))))
    for (const server of [reference, one, other]) await warm(server, payments)
    const samples: Record<'reference' | 'one' | 'two', Sample[]> = { reference: [], one: [], two: [] }
    for (let round = 0; round < (isShort ? 1 : ROUNDS); round++) {
      samples.reference.push(await pay(reference))
      samples.one.push(await pay(one))
      samples.two.push(await share())
    }
    const what = `PostgreSQL: card payments, ${CONNECTIONS} connections`
    const grouped = { what, reference: 'three inserts, in groups', goal: { least: 0.25 } }
    const shared = {
      what: 'PostgreSQL: the same by two `serve`',
      reference: 'one `serve`',
      goal: { least: 1 },
    }
    return [compared(grouped, samples.one, samples.reference), compared(shared, samples.two, samples.one)]
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    await postgres.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

/** What two servers did side by side, as if they were one. */
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
