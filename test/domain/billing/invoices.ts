import { expect } from 'chai'
import type { Json, JsonObject } from '../../../src/schema/json.js'
import { idOf, type TestCore, valuesOf } from '../../support/core.js'
import { card, makeCustomer, makeProcessing } from '../../support/examples.js'

/** A merchant with a customer whose default card is saved. */
export interface Shop {
  readonly core: TestCore
  readonly processing: string
  readonly customer: string
  readonly method: string
}

export async function openShop(core: TestCore, name = 'Park Books'): Promise<Shop> {
  const processing = await makeProcessing(core, name)
  const customer = await makeCustomer(core, processing)
  const method = idOf(
    await core.ok('POST', '/payment_methods', {
      ...card(),
      account_id: customer,
      default_payment_method: true,
      billing_address: {
        street_address: '1 Main Street',
        city: 'New York',
        state_province: 'NY',
        postal_code: '10001',
      },
    }),
  )
  return { core, processing, customer, method }
}

/** Makes an invoice of charges; returns it. */
export async function bill(
  { core, customer }: Shop,
  amounts: readonly number[],
  more: JsonObject = {},
): Promise<JsonObject> {
  const items = amounts.map((amount) => ({ entry_type: 'charge', amount }))
  return await core.ok('POST', '/invoices', { customer_id: customer, items, ...more })
}

/** Pays with the customer's saved card; returns the payment. */
export async function payWith(
  { core, customer }: Shop,
  amount: number,
  allocations: readonly JsonObject[],
  more: JsonObject = {},
): Promise<JsonObject> {
  const body = { type: 'payment', amount, customer_id: customer, allocations: [...allocations], ...more }
  return await core.ok('POST', '/transactions', body)
}

export async function refund(core: TestCore, payment: JsonObject, amount: number): Promise<JsonObject> {
  const ledger = [{ assoc_transaction_id: idOf(payment) }]
  return await core.ok('POST', '/transactions', { type: 'refund', amount, ledger })
}

/** The current totals and status of an invoice. */
export async function totalsOf(core: TestCore, invoice: JsonObject): Promise<JsonObject> {
  const query = 'fields=total_due,total_paid,amount_due,status'
  return await core.ok('GET', `/invoices/${idOf(invoice)}`, undefined, { query })
}

export const totals = (due: number, paid: number, status: string): JsonObject => ({
  total_due: due,
  total_paid: paid,
  amount_due: (Math.round(due * 100) - Math.round(paid * 100)) / 100,
  status,
})

/** The line items that allocate a payment to invoices, oldest first. */
export async function allocationsOf(core: TestCore, payment: JsonObject): Promise<JsonObject[]> {
  const query = 'order_by=id'
  return valuesOf(await core.ok('GET', `/transactions/${idOf(payment)}/allocations`, undefined, { query }))
}

/** The allocations of a payment as pairs of invoice and total. */
export async function allocatedOf(core: TestCore, payment: JsonObject): Promise<(Json | undefined)[][]> {
  return (await allocationsOf(core, payment)).map(({ invoice_id, total }) => [invoice_id, total])
}

/** Sends a request that must be refused; returns its `details`. */
export async function refusal(core: TestCore, path: string, body: Json): Promise<Json | undefined> {
  const { status, body: error } = await core.send('POST', path, body)
  expect(status, JSON.stringify(error)).to.equal(400)
  return error.details
}

/** Captures or voids a payment. */
export async function become(core: TestCore, payment: JsonObject, status: string): Promise<JsonObject> {
  return await core.ok('PUT', `/transactions/${idOf(payment)}`, { status })
}
