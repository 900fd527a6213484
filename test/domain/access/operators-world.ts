import { principalOfOperator } from '../../../src/domain/access/operators/operator-principal.js'
import type { Principal } from '../../../src/engine/core/request/principal.js'
import type { ApiResponse } from '../../../src/engine/core/request/request.js'
import { resources } from '../../../src/resources/resource-table.js'
import type { JsonObject } from '../../../src/schema/json.js'
import type { Method } from '../../../src/schema/resource.js'
import { idOf, openCore, type SendOptions, type TestCore } from '../../support/core.js'
import type { Databases } from '../../support/databases.js'
import { card, makeProcessing } from '../../support/examples.js'

/** A shop in New York, its operators and their requests. */
export type OperatorsWorld = Awaited<ReturnType<typeof operatorsWorld>>

export async function operatorsWorld(open: Databases) {
  const core: TestCore = await openCore(open)
  await core.ok('POST', '/orgs', {
    name: 'Corner Books',
    industry: 'books',
    org_type: 'business',
    timezone: 'America/New_York',
  })
  const shop = await makeProcessing(core)
  let count = 0
  const asNow = async (id: string): Promise<Principal> =>
    await core.environment.core.read(async (work) => {
      const row = await work.find(resources.operator, id)
      if (!row) throw new Error(`No operator ${id}`)
      return principalOfOperator(row)
    })
  const payment = (amount: number, more: JsonObject = {}): JsonObject => ({
    type: 'payment',
    amount,
    processing_id: shop,
    payment_method: card(),
    ...more,
  })
  return {
    core,
    shop,
    payment,
    /** A new operator, as a principal with current permissions. */
    async person(role: string, more: JsonObject = {}): Promise<Principal> {
      const body = { name: 'Ada Park', email: `ada${++count}@example.com`, role, ...more }
      return await asNow(idOf(await core.ok('POST', '/admin/operators', body)))
    },
    as:
      (principal: Principal) =>
      async (method: Method, path: string, body?: JsonObject | JsonObject[], more: SendOptions = {}) =>
        await core.send(method, path, body, { principal, ...more }),
    /** Takes a payment without an operator; returns its id. */
    taken: async (amount: number, more: JsonObject = {}) =>
      idOf(await core.ok('POST', '/transactions', payment(amount, more))),
  }
}

export function refundOf(id: string, amount: number): JsonObject {
  return { type: 'refund', amount, ledger: [{ assoc_transaction_id: id }] }
}

/** The reason in an answer with 403; any other answer as text. */
export function refusal({ status, body }: ApiResponse): string {
  return status === 403 ? String(body.error_description) : `${status} ${JSON.stringify(body)}`
}
