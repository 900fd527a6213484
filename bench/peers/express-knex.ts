/**
 * A service for comparison, as most teams would write it with express, zod and knex. It validates the input. A payment
 * is three inserts in one SQLite transaction, durable before the answer. It has no encryption, ledger, events or
 * idempotency.
 *
 * Usage: express-knex.ts <database file> <port>
 */
import { randomUUID } from 'node:crypto'
import process from 'node:process'
import type { Database } from 'better-sqlite3'
import express from 'express'
import knex from 'knex'
import { z } from 'zod'
import { schema } from '../references/schema.js'

const [filename = '', port = ''] = process.argv.slice(2)

const db = knex({
  client: 'better-sqlite3',
  connection: { filename },
  useNullAsDefault: true,
  pool: {
    afterCreate(connection: Database, done: () => void) {
      connection.pragma('journal_mode = WAL')
      connection.pragma('synchronous = FULL')
      connection.exec(schema)
      done()
    },
  },
})

const paymentSchema = z.object({
  type: z.literal('payment'),
  amount: z.number().positive(),
  processing_id: z.string().min(1),
  payment_method: z.object({
    type: z.literal('card'),
    account_holder: z.string().max(100),
    card: z.object({
      card_number: z.string().regex(/^\d{12,19}$/),
      expiry: z.string().regex(/^(0[1-9]|1[0-2])\/\d\d$/),
      card_code: z.string().regex(/^\d{3,4}$/),
    }),
    billing_address: z.object({ postal_code: z.string() }),
  }),
})

const app = express()
app.use(express.json())

app.post('/transactions', async (request, response) => {
  const given = paymentSchema.safeParse(request.body)
  if (given.success) response.json(await pay(given.data))
  else response.status(400).json({ error: z.flattenError(given.error) })
})

app.get('/transactions', async (request, response) => {
  const limit = Math.min(Number(request.query['limit'] ?? 25), 1000)
  response.json({ values: await db('transactions').orderBy('created_at', 'desc').limit(limit) })
})

app.get('/transactions/:id', async (request, response) => {
  const transaction = await db('transactions').where({ id: request.params.id }).first()
  if (transaction) response.json(transaction)
  else response.status(404).json({ error: 'Not found' })
})

const server = app.listen(Number(port), '127.0.0.1')
process.once('SIGTERM', () => server.close(() => db.destroy()))

async function pay({ amount, processing_id, payment_method }: z.infer<typeof paymentSchema>) {
  const now = new Date().toISOString()
  const { type, card } = payment_method
  const method = { id: newId('pm'), type, expiry: card.expiry, created_at: now }
  const transaction = {
    id: newId('txn'),
    type: 'payment',
    amount: Math.round(amount * 100),
    status: 'processed',
    status_code: 'approved',
    funding_status: 'pending',
    processing_id,
    payment_method_id: method.id,
    ref_number: newId('r'),
    created_at: now,
    modified_at: now,
  }
  const event = { id: newId('evt'), transaction_id: transaction.id, value: 'processed', created_at: now }
  await db.transaction(async (tx) => {
    await tx('payment_methods').insert(method)
    await tx('transactions').insert(transaction)
    await tx('events').insert(event)
  })
  return transaction
}

function newId(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll('-', '')}`
}
