import { datetime, email, one, oneOf, ref, text } from '../schema/field.js'
import { resource } from '../schema/resource.js'
import { RECORD } from '../schema/seal-rule.js'

/** Spec: "Events" names the trigger `payment_activation:status`; its fields are not shown there. */
export const paymentActivation = resource({
  name: 'payment_activation',
  plural: 'payment_activations',
  prefix: 'pact_',
  summary: 'A request to a customer for a payment method for automatic payments.',
  fields: {
    customer_id: ref('customer', {
      required: true,
      readonly: 'update',
      doc: 'the customer who is to give a payment method',
    }),
    processing_id: ref('processing_account', { readonly: 'update', doc: 'the processing account that asks' }),
    email: email({ doc: 'address of the request to the customer' }),
    description: text(),
    status: oneOf(['pending', 'activated', 'canceled', 'expired'], {
      default: 'pending',
      doc: 'pending until a payment method is given',
    }),
    payment_method_id: ref('payment_method', { doc: 'the method that was given' }),
    expires_at: datetime({ doc: 'until when it can be answered' }),
    customer: one('customer', {
      by: 'customer_id',
      nonDefault: true,
      lasting: true,
      doc: 'the customer object',
    }),
    payment_method: one('payment_method', {
      by: 'payment_method_id',
      nonDefault: true,
      lasting: true,
      doc: 'the payment method object',
    }),
  },
  ownership: [{ kind: 'names', column: 'processing_id' }],
  moves: 'nothing',
  least: 'manager',
  seals: RECORD,
  columns: ['id', 'customer_id', 'status', 'email', 'expires_at'],
  indexes: [['customer_id'], ['processing_id'], ['status']],
})
