/**
 * The reference server: it does the minimum of a durable payment server. It uses `node:http`, a JSON body, three
 * inserts by prepared statements, and WAL with `synchronous=FULL`. It has no validation, encryption or journal. `group`
 * commits the payments of one turn of the event loop together; `single` commits each alone.
 *
 * Usage: server.ts <database file> <port> group|single
 */
import { createServer } from 'node:http'
import Database from 'better-sqlite3'
import { answer, type Payment, read, type Waiting } from './bodies.js'
import { schema } from './schema.js'

const [file = '', port = '', mode = ''] = process.argv.slice(2)
const db = new Database(file)
db.pragma('journal_mode = WAL')
db.pragma('synchronous = FULL')
db.exec(schema)

const begin = db.prepare('BEGIN IMMEDIATE')
const commit = db.prepare('COMMIT')
const insertMethod = db.prepare(
  'INSERT INTO payment_methods (id, type, expiry, created_at) VALUES (?, ?, ?, ?)',
)
const insertTransaction = db.prepare(
  `INSERT INTO transactions (id, type, amount, status, status_code, funding_status, processing_id,
     payment_method_id, ref_number, created_at, modified_at)
   VALUES (?, 'payment', ?, 'processed', 'approved', 'pending', ?, ?, ?, ?, ?)`,
)
const insertEvent = db.prepare(
  'INSERT INTO events (id, transaction_id, value, created_at) VALUES (?, ?, ?, ?)',
)
const selectTransaction = db.prepare('SELECT * FROM transactions WHERE id = ?')

let count = Number(db.prepare('SELECT count(*) FROM transactions').pluck().get())
let waiting: Waiting[] = []

const server = createServer((request, response) => {
  if (request.method === 'GET') answer(response, selectTransaction.get(request.url?.split('/').pop()))
  else read(request, (payment) => take({ payment, response }))
})
server.listen(Number(port), '127.0.0.1')
process.once('SIGTERM', () => server.close(() => db.close()))

function take(one: Waiting): void {
  if (mode === 'single') settle([one])
  else if (waiting.push(one) === 1) setImmediate(settleAll)
}

function settleAll(): void {
  const turn = waiting
  waiting = []
  settle(turn)
}

/** Writes payments in one transaction, then answers all of them. */
function settle(turn: readonly Waiting[]): void {
  begin.run()
  const stored = turn.map(({ payment }) => store(payment))
  commit.run()
  for (const [index, { response }] of turn.entries()) answer(response, stored[index])
}

function store(payment: Payment): object {
  const id = `txn_${String(++count).padStart(22, '0')}`
  const methodId = id.replace('txn', 'pm')
  const now = new Date().toISOString()
  insertMethod.run(methodId, payment.payment_method.type, payment.payment_method.card.expiry, now)
  insertTransaction.run(
    id,
    Math.round(payment.amount * 100),
    payment.processing_id,
    methodId,
    `r${count}`,
    now,
    now,
  )
  insertEvent.run(`evt_${count}`, id, 'processed', now)
  return { id, object: 'transaction', amount: payment.amount, status: 'processed', created_at: now }
}
