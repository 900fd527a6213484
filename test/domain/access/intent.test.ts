import { expect } from 'chai'
import { fixedBy } from '../../../src/domain/access/keys/intent.js'
import { ApiError } from '../../../src/engine/core/request/api-error.js'
import type { JsonObject } from '../../../src/schema/json.js'

describe('the intent of a client key', () => {
  it('fixes attributes of the payment, as they are stored', async () => {
    const intents: [unknown, JsonObject][] = [
      [undefined, {}],
      [null, {}],
      [{}, {}],
      [{ amount: '29.99' }, { amount: 2_999 }],
      [
        { amount: 10, customer_id: 'acct_1', description: 'A book', order_number: null },
        { amount: 1_000, customer_id: 'acct_1', description: 'A book' },
      ],
      [
        { payment_form: { payment: { amount: 5, processing_id: 'acct_1' } } },
        { amount: 500, processing_id: 'acct_1' },
      ],
      [{ payment_form: {} }, {}],
      [{ checkout_page: { amount: 5, card_payments: true, return_url: '/' } }, { amount: 500 }],
      [{ checkout_plugin: { invoice_id: 'inv_1' } }, { invoice_id: 'inv_1' }],
    ]
    for (const [intent, fixed] of intents)
      expect(await fixedBy(intent), JSON.stringify(intent)).to.deep.equal(fixed)
  })

  it('for something else than paying fixes nothing, as nothing is paid', async () => {
    for (const kind of ['payment_method_form', 'processing_account_plugin', 'oauth_client_token'])
      expect(await fixedBy({ [kind]: { scope: 'org' } })).to.equal(undefined)
  })

  it('is refused where it cannot be understood, as a bound that is misspelt must not be none', async () => {
    const refused: [unknown, JsonObject][] = [
      ['pay', { intent: 'Must be an object' }],
      [[], { intent: 'Must be an object' }],
      [{ ammount: 5 }, { intent: { ammount: 'Unknown attribute' } }],
      [{ amount: 0 }, { intent: { amount: 'Must be greater than 0' } }],
      [{ amount: 'much' }, { intent: { amount: 'Must be valid number' } }],
      [{ customer_id: { id: 'acct_1' } }, { intent: { customer_id: 'Must be valid id' } }],
      [{ __proto__: null, constructor: 1 }, { intent: { constructor: 'Unknown attribute' } }],
      [{ checkout_page: 5 }, { intent: { checkout_page: 'Must be an object' } }],
      [
        { payment_form: { payemnt: { amount: 5 } } },
        { intent: { payment_form: { payemnt: 'Unknown attribute' } } },
      ],
      [
        { payment_form: { payment: { status: 'authorized' } } },
        { intent: { payment_form: { payment: { status: 'Unknown attribute' } } } },
      ],
      [{ payment_form: {}, amount: 5 }, { intent: { payment_form: 'Unknown attribute' } }],
    ]
    for (const [intent, details] of refused) {
      const error = await fixedBy(intent).then(
        () => undefined,
        (refusal: unknown) => refusal,
      )
      expect(error instanceof ApiError && error.details, JSON.stringify(intent)).to.deep.equal(details)
    }
  })
})
