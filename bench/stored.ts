import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { load } from './client.js'
import { cardPayments } from './payments.js'
import { startOurs } from './servers.js'
import { openShop, payctlIn, type Setting, type Shop } from './setting.js'
import type { Row } from './table.js'

/**
 * Payments before the measurement, so that tables have several pages; `MEASURED` is the number of measured payments.
 */
const FIRST = 500
const MEASURED = 4_000

/** Bytes by name: of each table and index of the database (used pages only), and of each other file in the home. */
type Sizes = ReadonlyMap<string, number>

/**
 * Compares the bytes that a card payment adds to the home, after a checkpoint, with the goals. Measures payments with
 * and without an idempotency key.
 */
export async function measureStored({ home: parent, bin, byTable }: Setting): Promise<Row[]> {
  const home = mkdtempSync(join(parent, 'stored-'))
  try {
    const shop = openShop(payctlIn(home, bin))
    const after = async (requests: number, isUnkeyed: boolean) => {
      await pay(home, bin, shop, { requests, isUnkeyed })
      return sizesOf(home)
    }
    const first = await after(FIRST, false)
    const keyed = await after(MEASURED, false)
    const unkeyed = await after(MEASURED, true)
    const what = 'bytes stored a card payment'
    return [
      ...rowsOf(what, keyed, unkeyed, 1_500, byTable),
      ...rowsOf(`${what}, with a key`, first, keyed, 1_800, byTable),
    ]
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** Takes payments with a new `serve`, which empties the write-ahead log when it stops. */
async function pay(
  home: string,
  bin: string,
  shop: Shop,
  options: { readonly requests: number; readonly isUnkeyed: boolean },
): Promise<void> {
  const server = await startOurs({ PAYCTL_HOME: home }, bin)
  try {
    await load({ ...cardPayments(shop), ...options, port: server.port, milliseconds: 600_000 })
  } finally {
    await server.stop()
  }
}

function sizesOf(home: string): Sizes {
  const name = 'test.db'
  const db = new Database(join(home, name))
  db.pragma('wal_checkpoint(TRUNCATE)')
  const tables = db
    .prepare<[], { name: string; bytes: number }>(
      'select name, sum(pgsize) as bytes from dbstat group by name',
    )
    .all()
    .map((table) => [table.name, table.bytes] as const)
  db.close()
  const files = readdirSync(home)
    .filter((file) => file !== name)
    .map((file) => [file, statSync(join(home, file)).size] as const)
  return new Map([...tables, ...files])
}

/** Rows with the bytes that a payment added; with `byTable`, also by table. */
function rowsOf(what: string, from: Sizes, to: Sizes, most: number, byTable: boolean): Row[] {
  const added = [...to]
    .map(([name, bytes]) => ({ name, bytes: (bytes - (from.get(name) ?? 0)) / MEASURED }))
    .filter(({ bytes }) => bytes > 0.5)
    .toSorted((a, b) => b.bytes - a.bytes)
  const all = added.reduce((sum, { bytes }) => sum + bytes, 0)
  const total = {
    what,
    ours: shown(all),
    reference: 'the goal',
    theirs: shown(most),
    ratio: all / most,
    goal: { most: 1 },
  }
  const parts = added.map(({ name, bytes }) => ({
    what: `of them in \`${name}\``,
    ours: shown(bytes),
    reference: 'all',
    theirs: shown(all),
    ratio: bytes / all,
  }))
  return byTable ? [total, ...parts] : [total]
}

function shown(bytes: number): string {
  return `${Math.round(bytes)} B`
}
