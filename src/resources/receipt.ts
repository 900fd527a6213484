import { address, email, one, oneOf, ref } from '../schema/field.js'
import { resource } from '../schema/resource.js'
import { MONEY } from '../schema/seal-rule.js'

/** Spec: "Transaction", nested `/transactions/{id}/receipts`: notification objects, whose fields are not shown. */
export const receipt = resource({
  name: 'receipt',
  plural: 'receipts',
  prefix: 'rcpt_',
  summary: 'Confirms a payment, refund or credit to its payer.',
  fields: {
    transaction_id: ref('transaction', {
      required: true,
      readonly: 'update',
      doc: 'the transaction that it confirms',
    }),
    type: oneOf(['payment', 'refund', 'credit'], { readonly: true, doc: 'the kind of the transaction' }),
    email: email({ doc: 'address of the payer' }),
    url: address({
      page: 'receipt',
      shows: 'url',
      doc: 'the page to read and print; needs no key and cannot be guessed',
    }),
    transaction: one('transaction', {
      by: 'transaction_id',
      nonDefault: true,
      lasting: true,
      doc: 'the transaction object',
    }),
  },
  follows: 'transaction_id',
  restricts: { POST: 'Only a payment, refund or credit that is processed has a receipt' },
  ownership: [{ kind: 'parent', column: 'transaction_id', resource: 'transaction' }],
  moves: 'nothing',
  least: 'cashier',
  seals: MONEY,
  columns: ['id', 'transaction_id', 'type', 'email', 'created_at'],
  indexes: [['transaction_id']],
})
