import type { AppOptions } from '../../../../src/app.js'
import type { Json, JsonObject } from '../../../../src/schema/json.js'
import { idOf, listOf, objectOf, openCore, type TestCore, valuesOf } from '../../../support/core.js'
import type { Databases } from '../../../support/databases.js'
import { openShop, type Shop } from '../invoices.js'

/** The start time of these tests: a Saturday morning in New York. */
export const START = Date.UTC(2026, 10, 21, 15)

/** A shop whose clock stands still unless a test moves it. */
export async function openBilling(open: Databases, options: Partial<AppOptions> = {}): Promise<Shop> {
  return await openShop(await openCore(open, { clock: { now: () => START }, ...options }))
}

/** Makes a schedule of the shop's customer; returns its id. */
export async function schedule(
  { core, customer, processing }: Shop,
  recurring_frequency: string,
  more: JsonObject = {},
): Promise<string> {
  const body = {
    customer_id: customer,
    processing_id: processing,
    recurring_frequency,
    charges: [{ amount: 20, description: 'Reading room' }],
    ...more,
  }
  return idOf(await core.ok('POST', '/billing_schedules', body))
}

/** The invoices of a schedule by due date, with the requested attributes. */
export async function invoicesOf(
  core: TestCore,
  id: string,
  fields = 'due_date,total_due,status',
): Promise<JsonObject[]> {
  const query = `fields=${fields}&order_by=due_date&limit=1000`
  return valuesOf(await core.ok('GET', `/billing_schedules/${id}/invoices`, undefined, { query }))
}

/** The due dates of the invoices of a schedule. */
export async function dueDates(core: TestCore, id: string): Promise<(Json | undefined)[]> {
  return (await invoicesOf(core, id)).map(({ due_date: date }) => date)
}

export const run = (core: TestCore, body: JsonObject = {}) => core.ok('POST', '/admin/billing/run', body)
export const plan = (core: TestCore) => core.ok('GET', '/admin/billing/plan')
export const advance = (core: TestCore, by: string) => core.ok('POST', '/admin/clock', { by })
/** Moves the clock like a downtime: no due work runs in between. */
export const jump = (core: TestCore, now: string) => core.ok('PUT', '/admin/clock', { now })

/** The automatic payments of a customer, oldest first. */
export async function paymentsOf({ core, customer }: Shop, fields: string): Promise<JsonObject[]> {
  const query = `customer_id=${customer}&type=payment&fields=${fields}&order_by=id&limit=1000`
  return valuesOf(await core.ok('GET', '/transactions', undefined, { query }))
}

/** A list of objects in an answer. */
export function rowsOf(answer: JsonObject, name: string): JsonObject[] {
  return listOf(answer[name]).map(objectOf)
}
