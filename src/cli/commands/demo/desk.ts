import { dateOf, datetimeOf } from '../../../schema/datetime.js'
import { RECEIVERS } from './demo-receivers.js'
import type { DemoShop, DemoYear } from './demo-shop.js'

const DAY = 86_400_000

/**
 * Creates unfinished work of the last weeks, one kind on each of a few days. `left` is the number of days before the
 * end.
 */
export async function workAtDesk(year: DemoYear, shop: DemoShop, left: number): Promise<void> {
  switch (left) {
    case 21:
      return await makeLinks(year, shop)
    case 5:
      return await makeWebhooks(year, shop)
    case 3:
      return await makeOpenInvoices(year, shop)
    case 1:
      return await holdTable(year, shop)
  }
}

/** Creates three payment links: one-time, reusable, and inactive. */
async function makeLinks({ send }: DemoYear, { id: processing_id }: DemoShop): Promise<void> {
  await send('POST', '/payment_links', { processing_id, amount: 45, description: 'Gift basket' })
  const reusable = { processing_id, type: 'reusable' }
  await send('POST', '/payment_links', { ...reusable, amount: 12, description: 'Coffee tasting' })
  const { id } = await send('POST', '/payment_links', {
    ...reusable,
    amount: 30,
    description: 'Cooking class in summer',
  })
  await send('PUT', `/payment_links/${id}`, { status: 'inactive' })
}

async function makeWebhooks({ send }: DemoYear, { id: processing_id }: DemoShop): Promise<void> {
  await send('POST', '/webhooks', { trigger: 'payment', url: RECEIVERS.shop, processing_id })
  await send('POST', '/webhooks', { trigger: 'deposit', url: RECEIVERS.books, processing_id })
}

/** Creates two invoices that are not due yet: one unpaid, one paid in part. */
async function makeOpenInvoices({ send, until }: DemoYear, { id, customers }: DemoShop): Promise<void> {
  for (const [index, description] of ['Wedding buffet', 'Office lunches'].entries()) {
    const invoice = await send('POST', '/invoices', {
      customer_id: customers[index] ?? null,
      processing_id: id,
      description,
      due_date: dateOf(datetimeOf(until + 14 * DAY)),
      items: [{ entry_type: 'charge', description, amount: 480, qty: 1 }],
    })
    if (index === 0) continue
    await send('POST', '/line_items', {
      invoice_id: invoice.id ?? null,
      entry_type: 'payment',
      amount: 180,
      description: 'Bank transfer',
    })
  }
}

/** Creates an authorized payment that is not captured. */
async function holdTable({ send }: DemoYear, { id, customers }: DemoShop): Promise<void> {
  await send('POST', '/transactions', {
    type: 'payment',
    status: 'authorized',
    processing_id: id,
    amount: 60,
    description: 'Table for six',
    customer_id: customers.at(-1) ?? null,
  })
}
