import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import Database from 'better-sqlite3'
import pg from 'pg'
import { openApp } from '../../src/app.js'
import type { Core } from '../../src/engine/core/core.js'
import { owner } from '../../src/engine/core/request/principal.js'
import type { QueryPair } from '../../src/engine/core/request/request.js'
import { openStore } from '../../src/engine/store/open-store.js'
import { systemRandom } from '../../src/platform/random.js'
import { median } from '../median.js'
import type { Row } from '../table.js'
import { fill, merchantId } from './fill.js'

const ROUNDS = 5
const PAGES = 60
const MERCHANT = merchantId(3)
const LEAST = 20_000

/** Requests one page of the core; returns the text of the answer. */
type Page = (more: readonly QueryPair[]) => Promise<string>

interface Filled {
  readonly page: Page
  readonly reference: () => Promise<string>
  /** Id of an object in the middle of the list. */
  readonly middle: string
  close(): Promise<void>
}

/**
 * Measures a filtered, ordered page of 100 objects. Compares it with one prepared statement, with a small database, and
 * with a page far behind the first.
 */
export async function measurePages(
  folder: string,
  postgres: string | undefined,
  sizes: { readonly few: number; readonly many: number },
): Promise<Row[]> {
  const few = await open(join(folder, 'few'), postgres, sizes.few)
  const many = await open(join(folder, 'many'), postgres, sizes.many)
  const times: Record<'few' | 'many' | 'deep' | 'reference', number[]> = {
    few: [],
    many: [],
    deep: [],
    reference: [],
  }
  for (let round = 0; round <= ROUNDS; round++) {
    const measured = {
      reference: await timed(() => many.reference()),
      many: await timed(() => many.page([])),
      deep: await timed(() => many.page([['after', many.middle]])),
      few: await timed(() => few.page([])),
    }
    // The first round warms up.
    if (round === 0) continue
    for (const name of ['few', 'many', 'deep', 'reference'] as const) times[name].push(measured[name])
  }
  await few.close()
  await many.close()
  const row = (what: string, reference: string, ours: readonly number[], theirs: readonly number[]) => ({
    what,
    reference,
    ours: shown(ours),
    theirs: shown(theirs),
  })
  const share = (a: readonly number[], b: readonly number[]) =>
    median(a.map((value, n) => value / (b[n] ?? 1)))
  return [
    {
      ...row('page of 100, filtered and ordered', 'one prepared statement', times.many, times.reference),
      ratio: share(times.reference, times.many),
      goal: { least: 0.5 },
    },
    {
      ...row('the same', `with ${sizes.few} transactions`, times.many, times.few),
      ratio: share(times.many, times.few),
      goal: { most: 1.5 },
    },
    {
      ...row('a page in the middle', 'the first page', times.deep, times.many),
      ratio: share(times.deep, times.many),
      goal: { most: 1.2 },
    },
  ]
}

async function open(home: string, postgres: string | undefined, rows: number): Promise<Filled> {
  mkdirSync(home)
  const databaseUrl = postgres && (await createDatabase(postgres, `rows_${rows}`))
  const store = await openStore({ home, databaseUrl, environment: 'test', random: systemRandom })
  const began = performance.now()
  await fill(store, rows, () => undefined)
  process.stderr.write(`filled ${rows} in ${Math.round((performance.now() - began) / 1000)} s\n`)
  await store.close()
  const app = openApp({ home, databaseUrl })
  const { core } = await app.environment('test')
  const prepared = databaseUrl ? await postgresReference(databaseUrl) : sqliteReference(home)
  return {
    page: (more) => pageOf(core, more),
    reference: prepared.run,
    middle: `txn_${String(Math.floor(rows / 2)).padStart(22, '0')}`,
    async close() {
      await prepared.close()
      await app.close()
    },
  }
}

async function pageOf(core: Core, more: readonly QueryPair[]): Promise<string> {
  const query: QueryPair[] = [
    ['processing_id', MERCHANT],
    ['amount', '>=200'],
    ['order_by', '-created_at'],
    ...more,
  ]
  const { status, text } = await core.handle({
    method: 'GET',
    path: '/transactions',
    query,
    principal: owner,
  })
  if (status !== 200 || text === undefined) throw new Error(`A page was answered with ${status}`)
  return text
}

const PAGE = `from transactions where deleted_at is null and processing_id = $1 and amount >= $2
  order by created_at desc, id desc limit 100`

function sqliteReference(home: string) {
  const db = new Database(join(home, 'test.db'), { readonly: true })
  const statement = db.prepare(`select * ${PAGE.replaceAll(/\$\d/g, '?')}`)
  return {
    run: async () => JSON.stringify(statement.all(MERCHANT, LEAST)),
    close: async () => void db.close(),
  }
}

async function postgresReference(databaseUrl: string) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('analyze payctl_test.transactions')
  const text = `select * ${PAGE.replace('transactions', 'payctl_test.transactions')}`
  return {
    run: async () =>
      JSON.stringify((await client.query({ name: 'page', text, values: [MERCHANT, LEAST] })).rows),
    close: () => client.end(),
  }
}

async function createDatabase(url: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: `${url}postgres` })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return `${url}${name}`
}

/** Mean duration of a call in milliseconds, over several sequential calls. */
async function timed(ask: () => Promise<string>): Promise<number> {
  const began = performance.now()
  for (let n = 0; n < PAGES; n++) await ask()
  return (performance.now() - began) / PAGES
}

function shown(times: readonly number[]): string {
  return `${median(times).toFixed(2)} ms`
}
