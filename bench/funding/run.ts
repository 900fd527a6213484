/**
 * `npm run long -- bench-funding [--payments 100000]`
 *
 * Measures the cut-off and funding of a large day while clients read and pay. Prints memory, the slowest payment, and
 * the 99th percentile of reads in the worst second, before and during funding. The same payments are made beside both.
 * Also checks that a new `serve` completes the deposit of a killed one.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openApp } from '../../src/app.js'
import { owner } from '../../src/engine/core/request/principal.js'
import type { QueryPair } from '../../src/engine/core/request/request.js'
import type { JsonObject } from '../../src/schema/json.js'
import type { Method } from '../../src/schema/resource.js'
import { load } from '../client.js'
import { residentMegabytes } from '../processes.js'
import { freePort, listening } from '../servers.js'
import { takePayments } from '../take-payments.js'

const { values } = parseArgs({ options: { payments: { type: 'string', default: '100000' } } })
const payments = Number(values.payments)
const MAX_WAIT = 1_000
const MAX_SLOWER = 5

/** Milliseconds in the worst second: the 99th percentile of reads, and the slowest payment. */
interface Worst {
  reads: number
  payment: number
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const parent = join(root, '.payctl', 'bench')
mkdirSync(parent, { recursive: true })
const home = mkdtempSync(join(parent, 'funding-'))

const app = openApp({ home })
const core = app.environment('test').then(({ core }) => core)

try {
  await run()
} finally {
  await app.close()
  rmSync(home, { recursive: true, force: true })
}

async function run(): Promise<void> {
  const { key, ids, payment } = await prepare()
  const headers = { authorization: `Bearer ${key}` }
  const pay = async (port: number) =>
    await load({
      port,
      milliseconds: 1_000,
      connections: 2,
      rate: 20,
      method: 'POST' as const,
      paths: ['/transactions'],
      headers,
      body: JSON.stringify(payment),
    })
  const read = async (port: number) =>
    await load({
      port,
      milliseconds: 1_000,
      connections: 4,
      method: 'GET' as const,
      paths: ids.map((id) => `/transactions/${id}`),
      headers,
    })
  /** Reads and pays for a second, and keeps what was slowest in any second. */
  const second = async (port: number, worst: Worst) => {
    const [reads, paid] = await Promise.all([read(port), pay(port)])
    worst.reads = Math.max(worst.reads, reads.p99)
    worst.payment = Math.max(worst.payment, paid.slowest)
  }

  const first = await serve()
  await second(first.port, { reads: 0, payment: 0 })
  const usual: Worst = { reads: 0, payment: 0 }
  for (let seconds = 0; seconds < 5; seconds++) await second(first.port, usual)
  const memory = residentMegabytes(first.child.pid)
  // The day is over, so `serve` now captures and funds on its own.
  await moveClock()
  const meanwhile: Worst = { reads: 0, payment: 0 }
  // Wait until the deposit has begun, so that the kill interrupts it.
  do await second(first.port, meanwhile)
  while ((await batched()) === 0)
  const during = await batched()
  const grown = residentMegabytes(first.child.pid)
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  const killed = await deposits()

  const other = await serve()
  const began = performance.now()
  while ((await deposits()).some(({ status }) => status !== 'processed') || (await batched()) < payments)
    meanwhile.payment = Math.max(meanwhile.payment, (await pay(other.port)).slowest)
  const seconds = Math.round((performance.now() - began) / 1000)
  const done = await deposits()
  other.child.kill('SIGTERM')
  await once(other.child, 'exit')
  const { found } = await ask('GET', '/admin/verify')
  tell(
    `${payments} payments; p99 of reads in the worst second ${usual.reads.toFixed(1)} ms, while funding ${meanwhile.reads.toFixed(1)} ms`,
  )
  tell(`ratio ${(meanwhile.reads / usual.reads).toFixed(2)} ×, goal ≤ ${MAX_SLOWER}`)
  tell(
    `slowest payment ${usual.payment.toFixed(0)} ms, meanwhile ${meanwhile.payment.toFixed(0)} ms, goal ≤ ${MAX_WAIT}`,
  )
  tell(`memory of serve ${memory} MB before, ${grown} MB meanwhile`)
  tell(`killed with ${during} in, deposits ${killed.map(({ id }) => id).join(', ')}`)
  tell(`finished ${seconds} s later: ${done.map(({ id, status }) => `${id} ${status}`).join(', ')}`)
  tell(`verify found ${found}`)
  const same = killed.every(({ id }) => done.some((deposit) => deposit.id === id))
  const isFast = meanwhile.reads <= MAX_SLOWER * usual.reads && meanwhile.payment <= MAX_WAIT
  process.exitCode = isFast && same && done.length === 1 && found === 0 ? 0 : 1
}

async function prepare(): Promise<{ key: string; ids: string[]; payment: JsonObject }> {
  const key = await ask('POST', '/admin/keys', { description: 'bench' })
  const shop: JsonObject = JSON.parse(readFileSync(join(root, 'docs/corner-shop.json'), 'utf8'))
  const account = await ask('POST', '/processing_accounts', shop)
  const payment = await takePayments(ask, String(account.id), payments)
  tell(`${payments} payments taken`)
  const { values: some } = await ask('GET', '/transactions', undefined, [
    ['limit', '500'],
    ['fields', 'id'],
  ])
  const ids = Array.isArray(some) ? some.map((row) => String(Object(row).id)) : []
  return { key: String(key.secret_key), ids, payment }
}

async function moveClock(): Promise<void> {
  const { now } = await ask('GET', '/admin/clock')
  const day = new Date(Date.parse(`${String(now).replace(' ', 'T')}Z`) + 86_400_000)
    .toISOString()
    .slice(0, 10)
  await ask('PUT', '/admin/clock', { now: `${day} 12:00:00` })
}

async function deposits(): Promise<JsonObject[]> {
  const { values: found } = await ask('GET', '/transactions', undefined, [['type', 'deposit']])
  return Array.isArray(found) ? found.map((row) => Object(row)) : []
}

async function batched(): Promise<number> {
  const { values: rows } = await ask('GET', '/transactions', undefined, [
    ['fields', 'count(*)'],
    ['funding_status', 'batched'],
  ])
  return Array.isArray(rows) ? Number(Object(rows[0])['count(*)']) : 0
}

/** Sends one request as the operator, through a core in this process. */
async function ask(
  method: Method,
  path: string,
  body?: JsonObject,
  query: readonly QueryPair[] = [],
): Promise<JsonObject> {
  const { status, body: answer } = await (await core).handle({
    method,
    path,
    body,
    query,
    principal: owner,
  })
  if (status !== 200) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer).slice(0, 500)}`)
  return answer
}

async function serve(): Promise<{ child: ChildProcess; port: number }> {
  const port = await freePort()
  const args = [join(root, 'bin/run.js'), 'serve', '--port', String(port)]
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PAYCTL_HOME: home },
  })
  await listening(child, port)
  return { child, port }
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`)
}
