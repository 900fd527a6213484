import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { runNode } from './processes.js'
import { schema } from './references/schema.js'
import { compared, type Sample } from './sample.js'
import type { Setting } from './setting.js'
import type { Row } from './table.js'

const ROUNDS = 3
const ROWS = 20_000
const PER_COMMIT = 100

/**
 * Compares a whole `payctl batch run` with three plain inserts per payment in one process, with 100 payments per
 * commit.
 */
export function measureBatch({ home, bin, processingId }: Setting): Row[] {
  const ours: Sample[] = []
  const theirs: Sample[] = []
  for (let round = 0; round < ROUNDS; round++) {
    theirs.push(inserted(join(home, `batch-${round}.db`)))
    const file = join(home, `batch-${round}.csv`)
    writeFileSync(file, paymentsCsv(processingId))
    const { milliseconds, cpu } = runNode([bin, 'batch', 'run', file, '--as', 'payment', '--json'], home)
    ours.push({ perSecond: (ROWS / milliseconds) * 1000, cpu: cpu / ROWS })
  }
  const what = `batch of ${ROWS} card payments`
  const reference = `three inserts, ${PER_COMMIT} a commit`
  return [compared({ what, reference, goal: { least: 0.15 } }, ours, theirs)]
}

function inserted(file: string): Sample {
  const before = performance.now()
  const used = process.cpuUsage()
  insertAll(file)
  const { user, system } = process.cpuUsage(used)
  return { perSecond: (ROWS / (performance.now() - before)) * 1000, cpu: (user + system) / ROWS }
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
