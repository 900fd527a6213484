import { expect } from 'chai'
import { model } from '../../../src/cli/terminal/declarations/declared-model.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { METHODS } from '../../../src/schema/resource.js'
import { onDatabases } from '../../support/databases.js'
import { declaredRequests } from '../../support/declared-requests.js'
import { eachCase } from '../../support/each-case.js'
import { bankAccount } from '../../support/examples.js'
import { Checkout } from './checkout.js'

/** For each kind of key, an intent and the only path it may post to. */
const KINDS: readonly (readonly [intent: JsonObject, path: string | undefined])[] = [
  [{ checkout_plugin: {} }, '/transactions'],
  [{ payment_method_form: {} }, '/payment_methods'],
  [{ processing_account_form: {} }, '/processing_accounts'],
  [{ oauth_client_token: {} }, undefined],
]

describe('the endpoints of a client key over HTTP', () => {
  onDatabases((open) => {
    let checkout: Checkout
    let requests: readonly (readonly [method: string, path: string, body?: JsonObject])[]
    before(async () => {
      checkout = await Checkout.open(open)
      open.atEnd(() => checkout.service.stop())
      const method = await checkout.idOf('/payment_methods', {
        ...bankAccount(),
        account_id: checkout.customer,
      })
      const key = await checkout.make()
      const existing = [
        ['processing_accounts', checkout.shop],
        ['accounts', checkout.shop],
        ['customers', checkout.customer],
        ['payment_methods', method],
        ['access_tokens', key],
        ['transactions', await checkout.idOf('/transactions', checkout.payment())],
      ]
      const places = [
        '/nowhere',
        ...model.all.flatMap(({ plural }) => [`/${plural}`, `/${plural}/any_1`]),
        ...model.operations.map(({ path }) => `/${path}`),
        ...existing.flatMap(([plural, id]) => [`/${plural}/${id}`, `/${plural}/${id}/payment_methods`]),
      ]
      const changes = declaredRequests(checkout.shop).map(
        ({ request: { method, path, body } }) => [method, path, Object(body)] as const,
      )
      requests = [
        ...places.flatMap((path) => METHODS.map((method) => [method, path, checkout.payment()] as const)),
        ...changes,
      ]
    })

    for (const [intent, own] of KINDS)
      it(`are limited to ${own ?? 'none'} for ${Object.keys(intent)[0]}`, async () => {
        const key = await checkout.make({ intent })
        await eachCase(
          requests.filter(([method, path]) => method !== 'POST' || path !== own),
          ([method, path]) => `${method} ${path}`,
          async ([method, path, body]) => {
            const answer = await checkout.service.ask(key, method, path, method === 'GET' ? undefined : body)
            expect([answer.status, answer.body.error_description]).to.deep.equal([
              403,
              `A client key may not ${method} ${path}`,
            ])
          },
        )
      })
  })
})
