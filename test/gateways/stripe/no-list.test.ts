import { expect } from 'chai'
import { stripeRail } from '../../../src/gateways/stripe/stripe-rail.js'
import type { Json } from '../../../src/schema/json.js'
import { rejection } from '../../support/rejection.js'
import { card, NOW } from './stripe-case.js'

const CREDENTIALS = {
  environment: 'live',
  baseUrl: 'https://stripe.example',
  secrets: { secret_key: 'sk_live_x' },
} as const

describe('an answer of Stripe to a query of a list', () => {
  const railThatAnswers = (answer: Json) =>
    stripeRail({
      http: {
        send: async () => {
          const body = JSON.stringify(answer)
          return { kind: 'answered', status: 200, headers: {}, body, bytes: body.length }
        },
        close: async () => undefined,
      },
      now: () => NOW,
    })
  const sale = { type: 'sale', reference: 'txn_1', amount: 100, currency: 'USD', method: card } as const
  const parent = { reference: 'txn_1', gatewayId: 'pi_1' }
  const refund = { type: 'refund', reference: 'txn_2', amount: 100, currency: 'USD', parent } as const

  it('proves that a payment or a refund was never seen only if it is an empty list', async () => {
    const empty = railThatAnswers({ object: 'list', data: [], has_more: false })
    for (const operation of [sale, refund])
      expect(await empty.find(operation, { since: NOW }, CREDENTIALS)).to.equal('never_seen')
    const none: readonly Json[] = [
      { data: [], has_more: false },
      { object: 'error', data: [], has_more: false },
      { object: 'list', data: [] },
      { object: 'list', data: { length: 0 }, has_more: false },
      { object: 'list', data: '', has_more: false },
      { object: 'list', data: null, has_more: false },
      [],
      {},
    ]
    for (const answer of none)
      for (const operation of [sale, refund]) {
        const found = railThatAnswers(answer).find(operation, { since: NOW }, CREDENTIALS)
        const { message } = await rejection(found.then((value) => Promise.reject(new Error(String(value)))))
        expect(message, JSON.stringify(answer)).to.not.equal('never_seen')
      }
  })
})
