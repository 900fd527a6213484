import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, type TestCore } from '../../support/core.js'
import { bankAccount, card, makeCustomer, makeProcessing, pay } from '../../support/examples.js'

/** A history with all kinds of money movements. */
export async function story(core: TestCore): Promise<void> {
  const processing = await makeProcessing(core)
  const customer = await makeCustomer(core, processing)
  const refund = (id: string, amount: number) =>
    core.ok('POST', '/transactions', { type: 'refund', amount, ledger: [{ assoc_transaction_id: id }] })
  const put = (id: string, status: string) => core.ok('PUT', `/transactions/${id}`, { status })
  const blind = { amount: 3, processing_id: processing, payment_method: card() }
  const dispute = (payment: string, more: JsonObject = {}) =>
    core.ok('POST', '/admin/simulate', { event: 'chargeback', transaction_id: payment, ...more })

  await put(idOf(await pay(core, processing, 5)), 'voided')
  await put(idOf(await pay(core, processing, 7, { status: 'authorized' })), 'processed')
  await put(idOf(await pay(core, processing, 8, { status: 'authorized' })), 'voided')
  await pay(core, processing, 9, { payment_method: bankAccount() })
  await core.ok('POST', '/transactions', { ...blind, type: 'refund' })
  await core.ok('POST', '/transactions', { ...blind, type: 'credit' })
  await core.send('POST', '/transactions', {
    ...blind,
    type: 'payment',
    payment_method: card('4111111111119903'),
  })
  const early = idOf(await pay(core, processing, 29.99))
  await refund(early, 10)
  const late = idOf(await pay(core, processing, 40))
  const disputed = idOf(await pay(core, processing, 50))
  const lost = idOf(await pay(core, processing, 60))
  const invoice = await core.ok('POST', '/invoices', {
    customer_id: customer,
    processing_id: processing,
    items: [
      { entry_type: 'charge', amount: 25, qty: 2 },
      { entry_type: 'charge', amount: 10 },
    ],
  })
  const allocations = [{ invoice_id: idOf(invoice) }]
  const paid = idOf(await pay(core, processing, 45, { customer_id: customer, allocations }))
  await core.ok('POST', '/billing_schedules', {
    customer_id: customer,
    processing_id: processing,
    recurring_frequency: 'monthly',
    start_date: '2031-01-31',
    charges: [{ amount: 12.5, qty: 1.5 }, { amount: 3 }],
  })
  await core.ok('POST', '/admin/clock', { by: '2d' })
  await refund(late, 40)
  await refund(paid, 20)
  await dispute(disputed, { amount: 20 })
  await dispute(lost)
  await core.ok('POST', '/admin/clock', { by: '1d' })
}
