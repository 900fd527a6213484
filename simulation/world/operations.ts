import type { JsonObject } from '../../src/schema/json.js'
import type { Chance } from '../../test/support/chance.js'
import { bankAccount, card, processingAccount } from '../../test/support/examples.js'
import type { Known, KnownPayment } from './known.js'
import { decideOnCollecting, deleteSchedule, makeSchedule } from './schedule-operations.js'
import { type Request, said, type World } from './world.js'

/** One operation of a person or a program. Returns a line for the report. */
export type Operation = (world: World, known: Known) => Promise<string>

/** Operations with their relative frequency. */
export const OPERATIONS: readonly (readonly [weight: number, Operation])[] = [
  [30, pay],
  [8, payWithSavedMethod],
  [5, authorize],
  [6, changeStatus],
  [3, capturePart],
  [2, authorizeTwice],
  [1, chargeBeside],
  [1, deleteInvoice],
  [9, refund],
  [3, payOut],
  [3, makeCustomer],
  [2, makeInvoice],
  [4, payInvoice],
  [1, makeSchedule],
  [2, decideOnCollecting],
  [1, deleteSchedule],
  [2, dispute],
  [1, winDispute],
  [2, takeTheRest],
  [2, payMany],
  [1, setFees],
  [2, dryRun],
  [2, look],
]

const CARDS = [
  '4242424242424242',
  '5555555555554444',
  '4111111111119904',
  '4111111111119900',
  '4000056655665556',
]

function amountOf(chance: Chance): number {
  return chance.integer(1, chance.percent(10) ? 500_000 : 20_000) / 100
}

function methodOf(chance: Chance): JsonObject {
  const method = chance.percent(15) ? bankAccount() : card(chance.pick(CARDS))
  return chance.percent(10) ? { ...method, keep_active: false } : method
}

export async function makeProcessing(world: World, known: Known): Promise<string> {
  const response = await sure(world, known, {
    method: 'POST',
    path: '/processing_accounts',
    body: processingAccount(`Shop ${known.processing.length}`),
  })
  known.processing.push(String(response.id))
  return `account ${response.id}`
}

async function pay(world: World, known: Known): Promise<string> {
  return await take(world, known, { payment_method: methodOf(world.chance) })
}

async function authorize(world: World, known: Known): Promise<string> {
  return await take(world, known, { payment_method: methodOf(world.chance), status: 'authorized' })
}

async function payWithSavedMethod(world: World, known: Known): Promise<string> {
  const customer = world.chance.pick(known.customers)
  if (!customer) return await makeCustomer(world, known)
  return await take(world, known, { customer_id: customer.id, processing_id: customer.processing })
}

async function take(world: World, known: Known, more: JsonObject): Promise<string> {
  const { chance } = world
  const amount = amountOf(chance)
  const body = { type: 'payment', amount, processing_id: chance.pick(known.processing) ?? null, ...more }
  const answer = await marked(world, known, body)
  return `payment of ${amount}: ${answer.status ?? answer.error_type}`
}

/**
 * Requests a payment with an idempotency key, and repeats the request until there is an answer. The payment must exist
 * once.
 */
async function marked(world: World, known: Known, body: JsonObject): Promise<JsonObject> {
  const mark = `mark-${known.marks.length}`
  const request: Request = {
    method: 'POST',
    path: '/transactions',
    body: { ...body, order_number: mark },
    key: mark,
  }
  const { status, body: answer } = await persist(world, request)
  // A payment in `processing` may still be declined.
  const isTaken = status === 200 && answer.status !== 'processing'
  known.marks.push({ mark, isAcknowledged: isTaken })
  if (status === 200 && typeof answer.id === 'string')
    known.payments.push({
      id: answer.id,
      amount: Number(answer.amount),
      status: String(answer.status),
      processing: String(answer.processing_id),
    })
  return answer
}

/**
 * Repeats a request until there is an answer. While the first attempt is still pending (409), runs due jobs in between.
 */
async function persist(world: World, request: Request) {
  for (;;) {
    const response = await world.send(request)
    if (response && response.status !== 409) return response
    await world.settle()
    // Without an idempotency key, a refusal with 409 is final.
    if (response && request.key === undefined) return response
  }
}

async function changeStatus(world: World, known: Known): Promise<string> {
  const payment = known.recent(world.chance, known.payments)
  if (!payment) return 'nothing'
  const status = world.chance.pick(['voided', 'processed']) ?? 'voided'
  const path = `/transactions/${payment.id}`
  return said(`${status} ${payment.id}`, await world.send({ method: 'PUT', path, body: { status } }))
}

/** Captures a part of a payment, even if the payment is already captured or voided. */
async function capturePart(world: World, known: Known): Promise<string> {
  const { chance } = world
  const payment = known.recent(chance, known.payments)
  if (!payment) return 'nothing'
  const amount = chance.integer(1, Math.round(payment.amount * 105)) / 100
  const body = { amount, ...(chance.percent(30) && { allow_unallocated: true }) }
  const path = `/transactions/${payment.id}/capture`
  return said(`capture ${amount} of ${payment.id}`, await world.send({ method: 'POST', path, body }))
}

/** Authorizes two payments for one invoice. */
async function authorizeTwice(world: World, known: Known): Promise<string> {
  const invoice = known.recent(world.chance, known.invoices)
  if (!invoice) return 'nothing'
  const { id, processing, customer } = invoice
  const allocations = [{ invoice_id: id }]
  const held = { status: 'authorized', customer_id: customer, processing_id: processing, allocations }
  return `${await take(world, known, held)}, ${await take(world, known, held)}`
}

/** Adds a charge or a discount to an invoice, or records a cash payment. */
async function chargeBeside(world: World, known: Known): Promise<string> {
  const { chance } = world
  const invoice = known.recent(chance, known.invoices)
  if (!invoice) return 'nothing'
  const amount = chance.integer(-9_000, 9_000) / 100
  const item = chance.percent(60)
    ? { entry_type: 'charge', amount }
    : { entry_type: 'payment', amount: Math.abs(amount) + 0.01 }
  const body = { invoice_id: invoice.id, ...item }
  return said(
    `${item.entry_type} of ${amount}`,
    await world.send({ method: 'POST', path: '/line_items', body }),
  )
}

async function deleteInvoice(world: World, known: Known): Promise<string> {
  const invoice = known.recent(world.chance, known.invoices)
  if (!invoice) return 'nothing'
  return said('deletion', await world.send({ method: 'DELETE', path: `/invoices/${invoice.id}` }))
}

async function refund(world: World, known: Known): Promise<string> {
  const { chance } = world
  const payment = chance.percent(80) ? known.recent(chance, known.payments) : chance.pick(known.payments)
  if (!payment) return 'nothing'
  const amount = chance.percent(50)
    ? payment.amount
    : chance.integer(1, Math.round(payment.amount * 100)) / 100
  return await refundOf(world, known, payment, amount)
}

async function refundOf(
  world: World,
  known: Known,
  { id, amount: whole }: KnownPayment,
  amount: number,
): Promise<string> {
  const body = { type: 'refund', amount, ledger: [{ assoc_transaction_id: id }] }
  const response = await world.send({ method: 'POST', path: '/transactions', body })
  if (response?.status === 200)
    known.returns.push({ payment: id, left: Math.round(100 * (whole - amount)), by: 'refund' })
  return said(`refund ${amount} of ${id}`, response)
}

async function payOut(world: World, known: Known): Promise<string> {
  const { chance } = world
  const type = chance.pick(['refund', 'credit']) ?? 'credit'
  const processing_id = chance.pick(known.processing) ?? null
  const body = { type, amount: chance.integer(1, 3_000) / 100, processing_id, payment_method: card() }
  return said(type, await world.send({ method: 'POST', path: '/transactions', body }))
}

async function makeCustomer(world: World, known: Known): Promise<string> {
  const { chance } = world
  const processing = chance.pick(known.processing) ?? ''
  const method = { ...card(chance.pick(CARDS)), default_payment_method: true }
  const body = {
    name: `Payer ${known.customers.length}`,
    primary_processing_id: processing,
    payment_methods: [method],
  }
  const response = await world.send({ method: 'POST', path: '/customers', body })
  if (response?.status === 200) known.customers.push({ id: String(response.body.id), processing })
  return said('customer', response)
}

async function makeInvoice(world: World, known: Known): Promise<string> {
  const { chance } = world
  const customer = chance.pick(known.customers)
  if (!customer) return 'nothing'
  const { id, processing } = customer
  const items = Array.from({ length: chance.integer(1, 3) }, () => ({
    entry_type: 'charge',
    amount: chance.integer(100, 20_000) / 100,
    qty: chance.integer(1, 3),
  }))
  const body = { customer_id: id, processing_id: processing, items }
  const response = await world.send({ method: 'POST', path: '/invoices', body })
  if (response?.status === 200)
    known.invoices.push({ id: String(response.body.id), processing, customer: id })
  return said('invoice', response)
}

async function payInvoice(world: World, known: Known): Promise<string> {
  const { chance } = world
  const invoice = known.recent(chance, known.invoices)
  if (!invoice) return 'nothing'
  const { id, processing, customer } = invoice
  const more = { customer_id: customer, processing_id: processing, allocations: [{ invoice_id: id }] }
  return await take(world, known, more)
}

async function dispute(world: World, known: Known): Promise<string> {
  const { chance } = world
  const payment = chance.pick(known.payments)
  if (payment?.status !== 'processed') return 'nothing'
  const amount = Math.round(payment.amount * 100)
  const part = chance.percent(50) ? amount : chance.integer(1, amount)
  world.gateway.clawBack(payment.id, part, chance.percent(70) ? 'chargeback' : 'R01')
  known.disputes.push({ payment: payment.id, amount: part })
  known.returns.push({ payment: payment.id, left: amount - part, by: 'dispute' })
  return `dispute of ${payment.id}`
}

async function winDispute(world: World, known: Known): Promise<string> {
  const index = world.chance.integer(0, Math.max(0, known.disputes.length - 1))
  const disputed = known.disputes[index]
  if (!disputed) return 'nothing'
  world.gateway.giveBack(disputed.payment, disputed.amount, `dispute_${index + 1}_${disputed.payment}`)
  return `win of ${disputed.payment}`
}

/**
 * Disputes what a partial refund has left of a payment, or refunds what a partial dispute has left. The payment's
 * status depends on the order.
 */
async function takeTheRest(world: World, known: Known): Promise<string> {
  const returned = known.recent(world.chance, known.returns)
  const payment = known.payments.find(({ id }) => id === returned?.payment)
  if (!returned || !payment || returned.left === 0) return 'nothing'
  const { left, by } = returned
  if (by === 'dispute') return await refundOf(world, known, payment, left / 100)
  world.gateway.clawBack(payment.id, left, world.chance.percent(70) ? 'chargeback' : 'R01')
  known.disputes.push({ payment: payment.id, amount: left })
  return `dispute of the rest of ${payment.id}`
}

async function payMany(world: World, known: Known): Promise<string> {
  const { chance } = world
  const values = Array.from({ length: chance.integer(2, 6) }, () => ({
    type: 'payment',
    amount: amountOf(chance),
    processing_id: chance.pick(known.processing) ?? null,
    payment_method: methodOf(chance),
  }))
  return said(
    'list',
    await world.send({ method: 'POST', path: '/transactions', body: { object: 'list', values } }),
  )
}

async function setFees(world: World, known: Known): Promise<string> {
  const { chance } = world
  const settings = {
    credit_trans_rate: chance.integer(0, 500) / 100,
    credit_conv_fee_alloc: chance.pick([0, 0, 25, 100]) ?? 0,
    batch_fee: chance.pick([0, 0.25]) ?? 0,
    billing_preference: chance.pick(['netted_daily', 'netted_daily', 'billed_monthly']) ?? 'netted_daily',
  }
  const path = `/processing_accounts/${chance.pick(known.processing)}`
  const account = await world.send({ method: 'GET', path, query: [['fields', 'processing[settings][id]']] })
  const { id } = Object(Object(account?.body.processing).settings)
  if (typeof id !== 'string') return 'nothing'
  const query = { method: 'PUT', path: `/processing_settings/${id}`, body: settings } as const
  return said('settings', await world.send(query))
}

async function dryRun(world: World, known: Known): Promise<string> {
  const processing_id = world.chance.pick(known.processing) ?? null
  const body = { type: 'payment', amount: amountOf(world.chance), processing_id, payment_method: card() }
  return said('dry run', await world.send({ method: 'POST', path: '/transactions', body, dryRun: true }))
}

async function look(world: World, known: Known): Promise<string> {
  const payment = known.recent(world.chance, known.payments)
  const query = [['fields', '*,ledger,conv_fee,allocations']] as const
  return said('look', await world.send({ method: 'GET', path: `/transactions/${payment?.id ?? ''}`, query }))
}

/** Creates an object that all other operations need. Throws if that fails. */
async function sure(world: World, known: Known, request: Request): Promise<JsonObject> {
  const { status, body } = await persist(world, { ...request, key: `sure-${known.processing.length}` })
  if (status !== 200) throw new Error(`${request.path}: ${status} ${JSON.stringify(body)}`)
  return body
}
