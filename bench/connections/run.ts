/**
 * `npm run long -- bench-connections [--many 512] [--requests 500000] [--rate 1000]`
 *
 * Compares payments over many connections with payments over a few. Measures at full speed, and at a rate below the
 * server's limit. Also compares the memory of `serve` after many requests with that after a fiftieth of them. Exits 1
 * if a goal is missed.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { type LoadResult, load } from '../client.js'
import { median, ratio } from '../median.js'
import { cardPayments } from '../payments.js'
import { residentMegabytes } from '../processes.js'
import { startOurs } from '../servers.js'
import { openShop, payctlIn, root } from '../setting.js'
import { met, type Row, render } from '../table.js'

const { values } = parseArgs({
  options: {
    many: { type: 'string', default: '512' },
    requests: { type: 'string', default: '500000' },
    rate: { type: 'string', default: '1000' },
  },
})
const many = Number(values.many)
const requests = Number(values.requests)
const rate = Number(values.rate)
const FEW = 32
const ROUNDS = 3
const MILLISECONDS = 5_000
/** An hour in milliseconds. It is never reached, because the number of requests ends the load. */
const LONG = 3_600_000

const parent = join(root, '.payctl', 'bench')
mkdirSync(parent, { recursive: true })
const home = mkdtempSync(join(parent, 'connections-'))
const payctl = payctlIn(home)
const shop = openShop(payctl)
const server = await startOurs({ PAYCTL_HOME: home })
const payments = { ...cardPayments(shop), port: server.port }

try {
  const rows = [...(await memory()), await lateness(), await lateness(rate)]
  process.stdout.write(`${render(rows)}\n`)
  process.exitCode = rows.every(met) ? 0 : 1
} finally {
  await server.stop()
  rmSync(home, { recursive: true, force: true })
}

async function memory(): Promise<Row[]> {
  const after = async (count: number) => {
    await load({ ...payments, connections: FEW, milliseconds: LONG, requests: count })
    return residentMegabytes(server.pid)
  }
  const few = Math.round(requests / 50)
  const early = await after(few)
  const late = await after(requests - few)
  const row = { ours: `${late} MB`, what: `memory after ${requests} payments` }
  return [
    { ...row, reference: `after ${few}`, theirs: `${early} MB`, ratio: late / early, goal: { most: 1.1 } },
    { ...row, reference: 'the limit', theirs: '180 MB', ratio: late / 180, goal: { most: 1 } },
  ]
}

/**
 * Compares the 99th percentile over many connections with that over a few. With a rate, both have the same number of
 * payments per second.
 */
async function lateness(rate?: number): Promise<Row> {
  const paced = { ...payments, milliseconds: MILLISECONDS, ...(rate !== undefined && { rate }) }
  const results: Record<'few' | 'many', LoadResult[]> = { few: [], many: [] }
  for (let round = 0; round < ROUNDS; round++) {
    results.few.push(await load({ ...paced, connections: FEW }))
    results.many.push(await load({ ...paced, connections: many }))
  }
  const [few, late] = [results.few, results.many].map((found) => found.map(({ p99 }) => p99))
  return {
    what: `p99 of payments over ${many} connections${rate === undefined ? '' : `, ${rate} a second`}`,
    reference: `over ${FEW}`,
    ours: `${Math.round(median(late ?? []))} ms`,
    theirs: `${Math.round(median(few ?? []))} ms`,
    ratio: ratio(late ?? [], few ?? []),
    goal: { most: 4 },
  }
}
