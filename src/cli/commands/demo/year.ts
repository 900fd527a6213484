import type { Chance } from '../../../platform/chance.js'
import { objectsIn } from '../../../schema/answer-values.js'
import { dateOf, datetimeOf } from '../../../schema/datetime.js'
import type { JsonObject } from '../../../schema/json.js'
import { card, DECLINING, type DemoShop, type DemoYear, openShop } from './demo-shop.js'
import { workAtDesk } from './desk.js'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/**
 * Milliseconds after midnight (UTC). By then, the service has done the cut-off, deposits and bills of the previous day
 * in New York.
 */
const MORNING = 6.1 * HOUR

const REASONS = ['Came back', 'Charged twice', 'Wrong size', 'Cancelled'] as const
const GOODS = ['Groceries', 'Coffee beans', 'Gift basket', 'Catering', 'Bread of the week'] as const
/**
 * Days before the end on which a payer's bank takes money back. The second dispute is won on the day `WON`;
 * the last stays open.
 */
const DISPUTES = [210, 95, 9] as const
const WON = 80
/** Days before the end from which the shop is busy. */
const BUSY = 28
/** Days before the end from which webhooks are notified. */
const NOTIFIED = 5
/** Number of days in which a customer must pay an invoice, and number of last days whose invoices stay open. */
const TERM = 14
const LEFT_OPEN = 45

/** A payment that can still be refunded or disputed. */
interface Paid {
  readonly id: string
  readonly amount: number
}

/** Creates a shop and a year of its payments and other events. Returns the id of its processing account. */
export async function makeYear(year: DemoYear): Promise<string> {
  const { until, days, reach, progress } = year
  const start = until - days * DAY
  await reach(start)
  const shop = await openShop(year)
  const paid: Paid[] = []
  const disputed: string[] = []
  for (let day = 0; day < days; day++) {
    const midnight = start - (start % DAY) + (day + 1) * DAY
    // At this time of the day, the deposits of the night and the invoices of the morning are made.
    const morning = midnight + MORNING
    if (morning < until) await reach(morning)
    const trading = Math.min(midnight + (14 + year.chance.integer(0, 7)) * HOUR, until - HOUR)
    if (trading > morning) {
      await reach(trading)
      await tradeOf(year, shop, { day, paid, disputed })
      await workAtDesk(year, shop, days - day)
      if (days - day <= NOTIFIED) await year.deliver()
    }
    progress()
  }
  await reach(until)
  return shop.id
}

interface Trading {
  /** Days since the start of the year. */
  readonly day: number
  readonly paid: Paid[]
  /** Ids of payments that banks took back. */
  readonly disputed: string[]
}

/** Makes one day's payments, refunds, invoices and disputes. */
async function tradeOf(year: DemoYear, shop: DemoShop, trading: Trading): Promise<void> {
  const { chance, send, days } = year
  const { day, paid, disputed } = trading
  const left = days - day
  const isBusy = left <= BUSY
  const count = isBusy ? chance.integer(3, 8) : chance.integer(1, 4)
  const values = Array.from({ length: count }, () => payment(chance, shop))
  for (const made of objectsIn(await send('POST', '/transactions', { object: 'list', values })))
    if (made.status === 'processed') paid.push({ id: String(made.id), amount: Number(made.amount) })
  if (chance.percent(isBusy ? 25 : 8)) await refund(year, shop, paid)
  if (chance.percent(isBusy ? 40 : 6)) await decline(year, shop)
  if (day % 30 === 10) await invoice(year, shop, left)
  if (day % 20 === 5) await authorize(year, shop)
  if (DISPUTES.some((before) => before === left)) await dispute(year, trading)
  if (left === WON)
    await send('POST', '/admin/simulate', { event: 'dispute_won', transaction_id: disputed.at(-1) ?? null })
}

function payment(chance: Chance, { id, customers }: DemoShop): JsonObject {
  return {
    type: 'payment',
    processing_id: id,
    amount: chance.integer(450, 18_000) / 100,
    description: picked(GOODS, chance),
    customer_id: picked(customers, chance),
  }
}

/** Refunds the whole or half of an earlier payment. */
async function refund({ chance, send }: DemoYear, { staff }: DemoShop, paid: Paid[]): Promise<void> {
  const given = taken(paid, chance)
  if (!given) return
  const amount = chance.percent(50) ? given.amount : Math.ceil(given.amount * 50) / 100
  const body = {
    type: 'refund',
    amount,
    description: picked(REASONS, chance),
    ledger: [{ assoc_transaction_id: given.id }],
  }
  await send('POST', '/transactions', body, { by: staff.cashier })
}

/** Makes a declined payment, without a customer. */
async function decline({ chance, send }: DemoYear, { id }: DemoShop): Promise<void> {
  const amount = chance.integer(450, 18_000) / 100
  const payment_method = card(picked(DECLINING, chance))
  await send('POST', '/transactions', { type: 'payment', processing_id: id, amount, payment_method })
}

/** Authorizes a payment, then captures or voids it. */
async function authorize(year: DemoYear, shop: DemoShop): Promise<void> {
  const { chance, send } = year
  const { id } = await send('POST', '/transactions', { ...payment(chance, shop), status: 'authorized' })
  await send('PUT', `/transactions/${id}`, { status: chance.percent(70) ? 'processed' : 'voided' })
}

/**
 * Makes two invoices for catering: the first is paid by card at once, the second by bank transfer. Near the
 * end, both stay unpaid.
 */
async function invoice({ chance, send, until }: DemoYear, shop: DemoShop, left: number): Promise<void> {
  for (const isPaid of [left > LEFT_OPEN, false]) {
    const customer_id = picked(shop.customers, chance)
    const qty = chance.integer(2, 12)
    const due_date = dateOf(datetimeOf(until - (left - TERM) * DAY))
    const { id, amount_due: amount } = await send('POST', '/invoices', {
      customer_id,
      processing_id: shop.id,
      description: 'Catering',
      due_date,
      items: [{ entry_type: 'charge', description: 'Lunch', amount: chance.integer(900, 2_400) / 100, qty }],
    })
    if (!isPaid && left > LEFT_OPEN) {
      await send('POST', '/line_items', {
        invoice_id: id ?? null,
        entry_type: 'payment',
        amount: amount ?? 0,
        description: 'Bank transfer',
      })
      continue
    }
    if (!isPaid) continue
    const allocations = [{ invoice_id: id ?? null, amount: amount ?? 0 }]
    await send('POST', '/transactions', {
      type: 'payment',
      processing_id: shop.id,
      customer_id,
      amount: amount ?? 0,
      allocations,
    })
  }
}

/** Simulates a chargeback of a payment. */
async function dispute({ chance, send }: DemoYear, { paid, disputed }: Trading): Promise<void> {
  const given = taken(paid, chance)
  if (!given) return
  await send('POST', '/admin/simulate', { event: 'chargeback', transaction_id: given.id })
  disputed.push(given.id)
}

/** Removes one of the last payments from the list, and returns it. */
function taken(paid: Paid[], chance: Chance): Paid | undefined {
  const recent = Math.min(paid.length, 20)
  const [given] = recent === 0 ? [] : paid.splice(paid.length - chance.integer(1, recent), 1)
  return given
}

function picked<const T extends string>(list: readonly T[], chance: Chance): string {
  return list[chance.integer(0, list.length - 1)] ?? ''
}
