import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { median, ratio } from './median.js'
import { schema } from './references/schema.js'
import type { Setting } from './setting.js'
import type { Row } from './table.js'

const ROUNDS = 3
const ROWS = 20_000
const PER_COMMIT = 100
const bin = fileURLToPath(new URL('../bin/run.js', import.meta.url))

/** `payctl batch run` from start to end, against three bare inserts a payment within one process, 100 a commit. */
export function measureBatch({ home, processingId }: Setting): Row[] {
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    theirs.push(perSecond(() => insertAll(join(home, `batch-${round}.db`))))
    const file = join(home, `batch-${round}.csv`)
    writeFileSync(file, paymentsCsv(processingId))
    ours.push(perSecond(() => run(file, home)))
  }
  return [
    {
      what: `batch of ${ROWS} card payments`,
      reference: `three inserts, ${PER_COMMIT} a commit`,
      ours: `${Math.round(median(ours))}/s`,
      theirs: `${Math.round(median(theirs))}/s`,
      ratio: ratio(ours, theirs),
      goal: { least: 0.3 },
    },
  ]
}

function perSecond(work: () => void): number {
  const before = performance.now()
  work()
  return (ROWS / (performance.now() - before)) * 1000
}

function run(file: string, home: string): void {
  const args = [bin, 'batch', 'run', file, '--as', 'payment', '--json']
  const { status, stderr } = spawnSync(process.execPath, args, {
    env: { ...process.env, PAYCTL_HOME: home },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The batch ended with ${status}: ${stderr}`)
}

function paymentsCsv(processingId: string): string {
  const method = ['type', 'account_holder', 'card.card_number', 'card.expiry', 'card.card_code']
  const header = [
    'amount',
    'processing_id',
    'order_number',
    ...method.map((name) => `payment_method.${name}`),
  ]
  const cells = ['card', 'Ada Byron', '4242424242424242', '12/35', '123']
  const rows = Array.from({ length: ROWS }, (_, index) => ['29.99', processingId, index, ...cells])
  return [header, ...rows].map((row) => row.join(',')).join('\n')
}

function insertAll(file: string): void {
  const db = new Database(file)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec(schema)
  const method = db.prepare('INSERT INTO payment_methods (id, type, expiry, created_at) VALUES (?, ?, ?, ?)')
  const transaction = db.prepare(
    `INSERT INTO transactions (id, type, amount, status, status_code, funding_status, created_at, modified_at)
     VALUES (?, 'payment', 2999, 'processed', 'approved', 'pending', ?, ?)`,
  )
  const event = db.prepare('INSERT INTO events (id, transaction_id, value, created_at) VALUES (?, ?, ?, ?)')
  const insertSome = db.transaction((from: number) => {
    for (let index = from; index < from + PER_COMMIT; index++) {
      const id = String(index).padStart(22, '0')
      const now = new Date().toISOString()
      method.run(`pm_${id}`, 'card', '12/35', now)
      transaction.run(`txn_${id}`, now, now)
      event.run(`evt_${id}`, `txn_${id}`, 'processed', now)
    }
  })
  for (let from = 0; from < ROWS; from += PER_COMMIT) insertSome.immediate(from)
  db.close()
}
