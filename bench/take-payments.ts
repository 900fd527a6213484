import type { JsonObject } from '../src/schema/json.js'

/** Number of payments in one request. */
const LIST = 500

type Ask = (method: 'POST', path: string, body: JsonObject) => Promise<JsonObject>

/** Takes payments of one customer with a card, by lists; returns the body of such a payment. */
export async function takePayments(ask: Ask, processingId: string, payments: number): Promise<JsonObject> {
  const customer = await ask('POST', '/customers', {
    name: 'Payer',
    primary_processing_id: processingId,
    payment_methods: [
      {
        type: 'card',
        default_payment_method: true,
        card: { card_number: '4242424242424242', expiry: '12/39' },
      },
    ],
  })
  const payment = { type: 'payment', amount: 29.99, customer_id: String(customer.id) }
  for (let made = 0; made < payments; made += LIST) {
    const values = Array.from({ length: Math.min(LIST, payments - made) }, () => payment)
    await ask('POST', '/transactions', { object: 'list', values })
  }
  return payment
}
