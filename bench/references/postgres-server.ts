/**
 * The reference server for PostgreSQL: like server.ts, but with groups. Payments of one turn of the event loop share
 * one transaction, with one `unnest` insert for each table.
 *
 * Usage: postgres-server.ts <address of a database> <port>
 */
import { createServer } from 'node:http'
import pg from 'pg'
import { answer, read, type Waiting } from './bodies.js'
import { schema } from './schema.js'

const [connectionString = '', port = ''] = process.argv.slice(2)
const client = new pg.Client({ connectionString, pipeline: true })
await client.connect()
await client.query(schema.replaceAll(' WITHOUT ROWID', ''))

const INSERTS = [
  `insert into payment_methods (id, type, expiry, created_at)
   select * from unnest($1::text[], $2::text[], $3::text[], $4::text[])`,
  `insert into transactions (id, type, amount, status, status_code, funding_status, processing_id,
     payment_method_id, ref_number, created_at, modified_at)
   select id, 'payment', amount, 'processed', 'approved', 'pending', processing, method, ref, now, now
   from unnest($1::text[], $2::integer[], $3::text[], $4::text[], $5::text[], $6::text[])
     as given (id, amount, processing, method, ref, now)`,
  `insert into events (id, transaction_id, value, created_at)
   select id, transaction, 'processed', now from unnest($1::text[], $2::text[], $3::text[]) as given (id, transaction, now)`,
]

let count = Date.now() * 1_000
let waiting: Waiting[] = []
let isWriting = false

const server = createServer((request, response) => read(request, (payment) => take({ payment, response })))
server.listen(Number(port), '127.0.0.1')
process.once('SIGTERM', () => server.close(() => client.end()))

function take(one: Waiting): void {
  if (waiting.push(one) === 1 && !isWriting) setImmediate(settle)
}

/**
 * Writes all waiting payments in one transaction and answers them. Then continues with payments that arrived during the
 * write.
 */
async function settle(): Promise<void> {
  isWriting = true
  const turn = waiting
  waiting = []
  const now = new Date().toISOString()
  const rows = turn.map(({ payment }) => ({ payment, number: String(++count).padStart(22, '0') }))
  const ids = rows.map(({ number }) => `txn_${number}`)
  const methods = rows.map(({ number }) => `pm_${number}`)
  const times = rows.map(() => now)
  const values = [
    [
      methods,
      rows.map(({ payment }) => payment.payment_method.type),
      rows.map(({ payment }) => payment.payment_method.card.expiry),
      times,
    ],
    [
      ids,
      rows.map(({ payment }) => Math.round(payment.amount * 100)),
      rows.map(({ payment }) => payment.processing_id),
      methods,
      rows.map(({ number }) => `r${number}`),
      times,
    ],
    [rows.map(({ number }) => `evt_${number}`), ids, times],
  ]
  await Promise.all([
    client.query('begin'),
    ...INSERTS.map((text, n) => client.query({ name: `insert_${n}`, text, values: values[n] ?? [] })),
    client.query('commit'),
  ])
  for (const [index, { payment, response }] of turn.entries()) {
    const id = ids[index]
    const amount = Math.round(payment.amount * 100)
    answer(response, { id, object: 'transaction', amount, status: 'processed', created_at: now })
  }
  isWriting = false
  if (waiting.length > 0) setImmediate(settle)
}
