/**
 * `npm run long -- bench-lists [--rows 1000000]`
 *
 * Compares payments in a large database, without other load, with payments while four clients read lists from this
 * database. Exits 1 if a goal is missed.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openStore } from '../../src/engine/store/open-store.js'
import { systemRandom } from '../../src/platform/random.js'
import { type LoadResult, load } from '../client.js'
import { median, ratio } from '../median.js'
import { fill, merchantId } from '../million/fill.js'
import { cardPayments } from '../payments.js'
import { startOurs } from '../servers.js'
import { openShop, payctlIn } from '../setting.js'
import { met, type Row, render } from '../table.js'

const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } })
const ROUNDS = 3
const MILLISECONDS = 5_000
const LISTING = 4

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Folder for the database, inside the project: the system's temporary folder may be in memory. */
const parent = join(root, '.payctl', 'bench')
mkdirSync(parent, { recursive: true })
const home = mkdtempSync(join(parent, 'lists-'))
const store = await openStore({ home, environment: 'test', random: systemRandom })
await fill(store, Number(values.rows), () => undefined)
await store.close()
const payctl = payctlIn(home)
const shop = openShop(payctl)
const server = await startOurs({ PAYCTL_HOME: home })
const base = { port: server.port, milliseconds: MILLISECONDS, headers: shop.headers }

const pay = () => load({ ...cardPayments(shop), ...base })
const list = (path: string) => load({ ...base, connections: LISTING, method: 'GET', paths: [path] })

try {
  await pay()
  const rows = [
    ...(await beside('an unindexed filter', '/transactions?description=none')),
    ...(await beside('pages of an account', `/transactions?processing_id=${merchantId(3)}&limit=100`)),
  ]
  process.stdout.write(`sqlite, ${values.rows} transactions\n\n${render(rows)}\n`)
  process.exitCode = rows.every(met) ? 0 : 1
} finally {
  await server.stop()
  rmSync(home, { recursive: true, force: true })
}

async function beside(what: string, path: string): Promise<Row[]> {
  const alone: LoadResult[] = []
  const together: LoadResult[] = []
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(await pay())
    together.push((await Promise.all([pay(), list(path)]))[0])
  }
  const [ours, theirs] = [together, alone].map((results) => results.map(({ perSecond }) => perSecond))
  const [late, usual] = [together, alone].map((results) => results.map(({ p99 }) => p99))
  const row = {
    what: `payments beside ${LISTING} clients that list by ${what}`,
    reference: 'payments alone',
  }
  return [
    {
      ...row,
      ours: `${Math.round(median(ours ?? []))}/s`,
      theirs: `${Math.round(median(theirs ?? []))}/s`,
      ratio: ratio(ours ?? [], theirs ?? []),
      goal: { least: 0.7 },
    },
    {
      ...row,
      what: 'the same, p99',
      ours: `${Math.round(median(late ?? []))} ms`,
      theirs: `${Math.round(median(usual ?? []))} ms`,
      ratio: ratio(late ?? [], usual ?? []),
      goal: { most: 2 },
    },
  ]
}
