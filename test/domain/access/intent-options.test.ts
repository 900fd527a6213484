import { expect } from 'chai'
import type { Json, JsonObject } from '../../../src/schema/json.js'
import { isTree } from '../../../src/schema/types.js'
import { objectOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { bankAccount, card } from '../../support/examples.js'
import { Checkout } from './checkout.js'
import { CHECKOUTS, EVERYWHERE, intentOf, NO_PAGES, optionPath, PAGES } from './intent-kinds.js'

interface Option {
  readonly name: string
  readonly value: Json
  /** Kinds that support the option; all others refuse it. */
  readonly kinds: readonly string[]
  /** Payment attributes from a page that conform to the intent. */
  readonly within?: JsonObject
  /** Payments that violate the intent and must be refused. */
  readonly beyond: readonly JsonObject[]
  /** Attributes of the conforming payment. */
  readonly has?: JsonObject
}

onDatabases((open) => {
  describe('each option of each kind of intent', () => {
    let checkout: Checkout
    before(async () => {
      checkout = await Checkout.open(open)
      open.atEnd(() => checkout.service.stop())
    })

    const carriedOut = (): readonly Option[] => {
      const { shop, other, customer } = checkout
      const method = (more: JsonObject) => ({ payment_method: { ...card(), ...more } })
      return [
        {
          name: 'type',
          value: 'payment',
          kinds: EVERYWHERE,
          beyond: [{ type: 'credit' }, { type: 'refund' }],
        },
        {
          name: 'amount',
          value: '10.00',
          kinds: EVERYWHERE,
          beyond: [{ amount: 11 }, { amount: '9.99' }, { amount: 0.01 }],
          has: { amount: 10 },
        },
        {
          name: 'customer_id',
          value: customer,
          kinds: EVERYWHERE,
          beyond: [
            { customer_id: shop },
            { customer: { id: customer } },
            { customer: { name: 'Eve' } },
            method({ account_id: customer }),
            method({ customer_id: customer }),
          ],
          has: { customer_id: customer },
        },
        {
          name: 'processing_id',
          value: shop,
          kinds: EVERYWHERE,
          beyond: [{ processing_id: other }, { processing: { id: other } }],
          has: { processing_id: shop },
        },
        {
          name: 'description',
          value: 'A book',
          kinds: EVERYWHERE,
          beyond: [{ description: 'Two books' }],
          has: { description: 'A book' },
        },
        {
          name: 'order_number',
          value: 'A-7',
          kinds: EVERYWHERE,
          beyond: [{ order_number: 'A-8' }],
          has: { order_number: 'A-7' },
        },
        {
          name: 'status',
          value: 'authorized',
          kinds: NO_PAGES,
          beyond: [{ status: 'processed' }],
          has: { status: 'authorized' },
        },
        {
          name: 'status',
          value: 'processed',
          kinds: EVERYWHERE,
          beyond: [{ status: 'authorized' }],
          has: { status: 'processed' },
        },
        { name: 'descriptor', value: 'BOOKS', kinds: NO_PAGES, beyond: [{ descriptor: 'REFUND' }] },
        {
          name: 'attrs',
          value: { cart: { size: 2 } },
          kinds: NO_PAGES,
          within: { attrs: { cart: { size: 2 } } },
          beyond: [{ attrs: { cart: { size: 3 } } }, { attrs: {} }],
          has: { attrs: { cart: { size: 2 } } },
        },
        {
          name: 'payment_method',
          value: { type: 'card', keep_active: false },
          kinds: NO_PAGES,
          beyond: [{ payment_method: bankAccount() }],
        },
        {
          name: 'keep_active',
          value: false,
          kinds: ['checkout_plugin'],
          beyond: [],
        },
        {
          name: 'card_payments',
          value: false,
          kinds: CHECKOUTS,
          within: { payment_method: bankAccount() },
          beyond: [{ payment_method: card() }],
        },
        {
          name: 'bank_account_payments',
          value: 'false',
          kinds: CHECKOUTS,
          beyond: [{ payment_method: bankAccount() }],
        },
      ]
    }

    const REFUSED: readonly (readonly [name: string, value: Json])[] = [
      ['amount', { min: 1, max: 10 }],
      ['amount', 0],
      ['type', 'credit'],
      ['status', 'voided'],
      ['source', 'keyed'],
      ['conv_fee', true],
      ['billing', { amount: 5 }],
      ['auto_billing_toggle', true],
      ['keep_active_toggle', true],
      ['billing_address', { postal_code: '11238' }],
      ['allocations', []],
      ['ledger', []],
      ['customer', { name: 'Ada' }],
      ['processing', { id: 'acct_1' }],
      ['payment_method_id', 'pm_1'],
      ['payment_method', { id: 'pm_1' }],
      ['payment_method', { customer_id: 'acct_1' }],
      ['reader_id', 'rdr_1'],
      ['order_details', {}],
      ['shipping_details', {}],
      ['legal_entity_id', 'le_1'],
      ['scope', 'org'],
      ['url', 'https://shop.example/'],
      ['redirects', { success_url: 'http://shop.example/' }],
      ['redirects', { success_url: 'javascript:alert(1)' }],
      ['redirects', { failure_url: 'https://shop.example/' }],
      ['toString', true],
    ]

    const make = async (kind: string, options: JsonObject) =>
      await checkout.service.ask(checkout.secret, 'POST', '/access_tokens', {
        type: 'client',
        intent: intentOf(kind, options),
      })

    /** Attributes that a kind needs in addition to the tested option. */
    const beside = (kind: string): JsonObject =>
      PAGES.includes(kind) ? { amount: 10, processing_id: checkout.shop } : {}

    /** Whether the details of a refusal name an option at its place in the intent. */
    const names = (details: Json | undefined, kind: string, name: string): boolean => {
      const found = optionPath(kind, name).reduce<Json | undefined>(
        (inner, place) => (isTree(inner) ? inner[place] : undefined),
        details,
      )
      return found !== undefined
    }

    /** Expects a payment within the option to succeed with its value, and other payments to be refused. */
    const expectBound = async (
      key: string,
      { name, value, within = {}, beyond, has = {} }: Option,
      about: string,
    ) => {
      for (const more of beyond) {
        const { status } = await checkout.pay(key, { processing_id: null, ...within, ...more })
        expect(status, `${about} by ${JSON.stringify(more)}`).to.be.oneOf([400, 403])
      }
      const paid = await checkout.pay(key, { processing_id: null, ...within })
      expect(paid.status, `${about} ${JSON.stringify(paid.body)}`).to.equal(200)
      expect(paid.body, about).to.deep.include(has)
      if (/keep_active/.test(JSON.stringify({ [name]: value })))
        expect(objectOf(paid.body.payment_method).keep_active, about).to.equal(false)
    }

    for (const kind of EVERYWHERE) {
      it(`is enforced for payments of ${kind}, or refused when the key is created`, async () => {
        for (const option of carriedOut()) {
          const { name, value, kinds } = option
          const about = `${kind}: ${name} ${JSON.stringify(value)}`
          const { status, body } = await make(kind, { ...beside(kind), [name]: value })
          if (!kinds.includes(kind)) {
            expect([status, names(body.details, kind, name)], about).to.deep.equal([400, true])
            continue
          }
          expect(status, `${about} ${JSON.stringify(body)}`).to.equal(200)
          expect(JSON.stringify(body.intent), about).to.include(JSON.stringify(value))
          await expectBound(String(body.id), option, about)
        }
      })

      it(`without an implementation is refused when a key of ${kind} is created`, async () => {
        for (const [name, value] of REFUSED) {
          const { status, body } = await make(kind, { ...beside(kind), [name]: value })
          expect(
            [status, names(body.details, kind, name)],
            `${kind}: ${name} ${JSON.stringify(value)}`,
          ).to.deep.equal([400, true])
        }
      })
    }

    it('is refused for kinds of intent whose keys cannot pay', async () => {
      const sent = [...REFUSED, ...carriedOut().map(({ name, value }) => [name, value] as const)]
      for (const kind of ['oauth_client_token']) {
        const made = await make('', { [kind]: {} })
        expect(made.status, kind).to.equal(200)
        expect((await checkout.pay(String(made.body.id))).status).to.equal(403)
        for (const [name, value] of sent) {
          const { status, body } = await make('', { [kind]: { [name]: value } })
          expect([status, body.details], `${kind}: ${name}`).to.deep.equal([
            400,
            { intent: { [kind]: { [name]: 'Unknown attribute' } } },
          ])
        }
      }
    })
  })
})
