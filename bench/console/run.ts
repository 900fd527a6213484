/**
 * `npm run long -- console [--rows 1000000]`
 *
 * Measures the console and the reports over HTTP, on the books of one merchant with many payments. Also measures
 * payments while the console is used. Exits 1 if a goal is missed.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openApp } from '../../src/app.js'
import { keepDaySums } from '../../src/domain/reports/keep-day-sums.js'
import { openStore } from '../../src/engine/store/open-store.js'
import { addDays } from '../../src/platform/calendar/date.js'
import { systemRandom } from '../../src/platform/random.js'
import { ConsoleBrowser } from '../../test/support/console-browser.js'
import { load } from '../client.js'
import { median } from '../median.js'
import { fillBooks } from '../million/fill.js'
import { cardPayments } from '../payments.js'
import { startOurs } from '../servers.js'
import { openShop, payctlIn, type Shop } from '../setting.js'
import { met, type Row, render } from '../table.js'

const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } })
const EMAIL = 'ada@example.com'
/** Number of reads of each page; `ROUNDS` is the number of rounds of payments. */
const READS = 7
const ROUNDS = 3
const MILLISECONDS = 5_000
/** Milliseconds between two pages that an operator opens. */
const LOOK = 1_000
const TODAY = new Date().toISOString().slice(0, 10)
/** Query for a month of past days. */
const MONTH = `from=${addDays(TODAY, -32)}&to=${addDays(TODAY, -2)}`
/** Pages of the console, with filters that operators use. */
const PAGES: Readonly<Record<string, string>> = {
  home: '',
  transactions: 'transactions',
  'declined transactions above an amount': 'transactions?status=declined&amount=>100',
  'transactions of a day': `transactions?created_at=>${addDays(TODAY, -1)}`,
  'transactions by last four': 'transactions?payment_method[last_four]=4242',
  'search for last four': 'search?q=4242',
  'search for last four and an amount': 'search?q=4242+180.34',
  customers: 'customers',
  'customers by e-mail': 'customers?email=payer77@example.com',
  invoices: 'invoices',
  'overdue invoices': 'invoices?status=overdue',
  'summary of a month': `reports/summary?${MONTH}`,
}

const parent = join(fileURLToPath(new URL('../..', import.meta.url)), '.payctl', 'bench')
mkdirSync(parent, { recursive: true })
const home = mkdtempSync(join(parent, 'console-'))
const filled = await timed(fillHome)
process.stderr.write(`filled in ${Math.round(filled / 1000)} s\n`)
const payctl = payctlIn(home)
const shop = openShop(payctl)
payctl('operators', 'add', '--name', 'Ada Park', '--email', EMAIL, '--role', 'owner')
const server = await startOurs({ PAYCTL_HOME: home, PAYCTL_CONSOLE: 'true' })
const address = `http://127.0.0.1:${server.port}`
try {
  const browser = await enter()
  const rows = [...(await pages(browser)), ...(await statements(browser)), await beside(browser, shop)]
  process.stdout.write(`${values.rows} transactions\n\n${render(rows)}\n`)
  process.exitCode = rows.every(met) ? 0 : 1
} finally {
  await server.stop()
  rmSync(home, { recursive: true, force: true })
}

/** Fills the books, and computes the sums of their days as `serve` does within ten minutes. */
async function fillHome(): Promise<void> {
  const store = await openStore({ home, environment: 'test', random: systemRandom })
  await fillBooks(store, Number(values.rows), Date.now())
  await store.close()
  const app = openApp({ home })
  const { runner } = await app.environment('test')
  await keepDaySums(runner, new AbortController().signal)
  await app.close()
}

async function enter(): Promise<ConsoleBrowser> {
  const browser = new ConsoleBrowser(address)
  const entry = payctl('console', '--as', EMAIL)
  const url = 'url' in entry ? String(entry.url) : ''
  await browser.submit(await browser.get(new URL(url).pathname))
  return browser
}

async function open(browser: ConsoleBrowser, page: string): Promise<string> {
  const { status, text } = await browser.get(`/console/test/${page}`)
  if (status !== 200) throw new Error(`${page} was answered with ${status}`)
  return text
}

async function pages(browser: ConsoleBrowser): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const [what, page] of Object.entries(PAGES)) {
    await open(browser, page)
    const times: number[] = []
    const before = await server.cpu()
    for (let read = 0; read < READS; read++) times.push(await timed(() => open(browser, page)))
    rows.push(claim(what, median(times), 100, 'ms', ((await server.cpu()) - before) / READS))
  }
  return rows
}

/**
 * Measures a month's statement in three forms: the console's page, the console's file, and the pages of the
 * HTTP API. Also measures the memory that each adds.
 */
async function statements(browser: ConsoleBrowser): Promise<readonly Row[]> {
  const { secret_key: key = '' } = payctl('keys', 'create', '--manage')
  const headers = { authorization: `Bearer ${key}` }
  const ask = async (after: string) => {
    const response = await fetch(`${address}/admin/reports/statement?${MONTH}${after}`, { headers })
    if (response.status !== 200) throw new Error(`A statement was answered with ${response.status}`)
    const { next }: { next: string | null } = JSON.parse(await response.text())
    return next
  }
  const whole = async () => {
    for (let next = await ask(''); next !== null; ) next = await ask(`&after=${next}`)
  }
  const ways: Readonly<Record<string, () => Promise<unknown>>> = {
    page: () => open(browser, `reports/statement?${MONTH}`),
    file: () => open(browser, `reports/statement?${MONTH}&as=csv`),
    'pages of JSON': whole,
  }
  const rows: Row[] = []
  for (const [way, read] of Object.entries(ways)) {
    const before = memory('VmRSS')
    // Reset the peak memory that the kernel has recorded.
    writeFileSync(`/proc/${server.pid}/clear_refs`, '5')
    const began = await server.cpu()
    const time = await timed(read)
    rows.push(
      claim(`statement of a month, ${way}`, time, 2_000, 'ms', (await server.cpu()) - began),
      claim('memory that it adds', memory('VmHWM') - before, 200, 'MB'),
    )
  }
  return rows
}

/** Compares two rates of payments: without other load, and while an operator opens a page each second. */
async function beside(browser: ConsoleBrowser, shop: Shop): Promise<Row> {
  const { port } = server
  const pay = async () => (await load({ ...cardPayments(shop), port, milliseconds: MILLISECONDS })).perSecond
  await pay()
  const [alone, together]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(await pay())
    const reading = new AbortController()
    const [perSecond] = await Promise.all([
      pay().finally(() => reading.abort()),
      readOn(browser, reading.signal),
    ])
    together.push(perSecond)
  }
  const [ours, theirs] = [median(together), median(alone)]
  return {
    what: 'payments beside an operator at work',
    ours: `${Math.round(ours)}/s`,
    reference: 'payments alone',
    theirs: `${Math.round(theirs)}/s`,
    ratio: median(together.map((perSecond, round) => perSecond / (alone[round] ?? Number.NaN))),
    goal: { least: 0.8 },
  }
}

async function readOn(browser: ConsoleBrowser, signal: AbortSignal): Promise<void> {
  const all = [...Object.values(PAGES), `reports/statement?${MONTH}`]
  for (let n = 0; !signal.aborted; n++) {
    await open(browser, all[n % all.length] ?? '')
    await new Promise((resolve) => setTimeout(resolve, LOOK))
  }
}

/** Resident memory of the server, in megabytes: now, or at its peak. */
function memory(what: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8')
  return Number(new RegExp(`${what}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
}

/**
 * Row of a claim with a goal. The server's CPU time (microseconds) is shown too, because it varies little on busy
 * machines.
 */
function claim(what: string, value: number, goal: number, unit: string, cpu?: number): Row {
  const ours = `${Math.round(value)} ${unit}${cpu === undefined ? '' : `, CPU ${Math.round(cpu / 1_000)}`}`
  process.stderr.write(`${what}: ${ours}\n`)
  return {
    what,
    ours,
    reference: 'the goal',
    theirs: `${goal} ${unit}`,
    ratio: value / goal,
    goal: { most: 1 },
  }
}

async function timed(job: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await job()
  return performance.now() - began
}
