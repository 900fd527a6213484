import { expect } from 'chai'
import { readIntent } from '../../../src/domain/access/keys/intent.js'
import { ApiError } from '../../../src/engine/core/request/api-error.js'
import type { JsonObject } from '../../../src/schema/json.js'

describe('the intent of a client key', () => {
  it('fixes attributes of the payment in their stored form', async () => {
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
      [{ checkout_page: { amount: 5, card_payments: true } }, { amount: 500, status: 'processed' }],
      [
        { checkout_plugin: { invoice_id: 'inv_1', card_payments: 'false' } },
        { invoice_id: 'inv_1', status: 'processed', payment_method: { type: 'bank_account' } },
      ],
      [
        { payment_method_form: { customer_id: 'acct_1', payment_method: { default_payment_method: true } } },
        { account_id: 'acct_1', default_payment_method: 1 },
      ],
    ]
    for (const [intent, fixed] of intents)
      expect((await readIntent(intent)).fixed, JSON.stringify(intent)).to.deep.equal(fixed)
  })

  it('determines which objects its key can create, if any', async () => {
    const created = { payment_form: 'transactions', payment_method_form: 'payment_methods' }
    for (const [kind, path] of Object.entries(created))
      expect((await readIntent({ [kind]: {} })).creates).to.equal(path)
    for (const kind of ['oauth_client_token'])
      expect(await readIntent({ [kind]: {} })).to.deep.include({ creates: undefined, fixed: {} })
  })

  it('is refused if it contains unknown names, because a misspelt limit would be no limit', async () => {
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
        { payment_form: { payment: { source: 'emv' } } },
        { intent: { payment_form: { payment: { source: 'Unknown attribute' } } } },
      ],
      [{ payment_form: {}, amount: 5 }, { intent: { payment_form: 'Unknown attribute' } }],
    ]
    for (const [intent, details] of refused) {
      const error = await readIntent(intent).then(
        () => undefined,
        (refusal: unknown) => refusal,
      )
      expect(error instanceof ApiError && error.details, JSON.stringify(intent)).to.deep.equal(details)
    }
  })
})
