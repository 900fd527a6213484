/**
 * `npm run long -- console`
 *
 * Reports over the books of one merchant with many payments: the sums of 30 days, as the console's first page asks for
 * them, and a month's statement, page by page. Exits 1 if a goal is missed.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openApp } from '../../src/app.js'
import { owner } from '../../src/engine/core/request/principal.js'
import type { QueryPair } from '../../src/engine/core/request/request.js'
import { openStore } from '../../src/engine/store/open-store.js'
import { addDays } from '../../src/platform/calendar/date.js'
import { systemRandom } from '../../src/platform/random.js'
import { FIRST_DAY, fillBooks } from '../million/fill.js'
import { residentMegabytes } from '../processes.js'
import { met, type Row, render } from '../table.js'

const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } })
const parent = join(fileURLToPath(new URL('../..', import.meta.url)), '.payctl', 'bench')
mkdirSync(parent, { recursive: true })
const home = mkdtempSync(join(parent, 'console-'))
try {
  const store = await openStore({ home, environment: 'test', random: systemRandom })
  await fillBooks(store, Number(values.rows))
  await store.close()
  const rows = await measure()
  process.stdout.write(`${values.rows} transactions\n\n${render(rows)}\n`)
  process.exitCode = rows.every(met) ? 0 : 1
} finally {
  rmSync(home, { recursive: true, force: true })
}

async function measure(): Promise<Row[]> {
  const app = openApp({ home })
  try {
    const { core, keepDaySums } = await app.environment('test')
    await keepDaySums(new AbortController().signal)
    const month: readonly QueryPair[] = [
      ['from', FIRST_DAY],
      ['to', addDays(FIRST_DAY, 30)],
    ]
    const ask = async (name: string, more: readonly QueryPair[]) => {
      const query = [...month, ...more]
      const request = { method: 'GET', path: `/admin/reports/${name}`, query, principal: owner } as const
      const { status, body } = await core.handle(request)
      if (status !== 200) throw new Error(`The report ${name} was answered with ${status}`)
      return body
    }
    await ask('summary', [])
    const summed = await timed(() => ask('summary', []))
    const before = residentMegabytes(process.pid)
    let most = before
    const stated = await timed(async () => {
      let body = await ask('statement', [])
      while (typeof body['next'] === 'string') {
        most = Math.max(most, residentMegabytes(process.pid))
        body = await ask('statement', [['after', body['next']]])
      }
    })
    return [
      claim('sums of a month', `${Math.round(summed)} ms`, '100 ms', summed / 100),
      claim('statement of a month', `${Math.round(stated)} ms`, '2,000 ms', stated / 2_000),
      claim('memory that it adds', `${most - before} MB`, '200 MB', (most - before) / 200),
    ]
  } finally {
    await app.close()
  }
}

function claim(what: string, ours: string, reference: string, ratio: number): Row {
  return { what, ours, reference: 'the goal', theirs: reference, ratio, goal: { most: 1 } }
}

async function timed(job: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await job()
  return performance.now() - began
}
