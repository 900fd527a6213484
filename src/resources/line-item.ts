import { date, integer, money, one, oneOf, ref, text } from '../schema/field.js'
import { NEEDED } from '../schema/form.js'
import { resource } from '../schema/resource.js'
import { MONEY } from '../schema/seal-rule.js'

/** Spec: "Line item". */
export const lineItem = resource({
  name: 'line_item',
  plural: 'line_items',
  prefix: 'item_',
  summary: 'A charge or a payment on an invoice.',
  fields: {
    amount: money({ sign: 'any', doc: 'price of one; a payment is negative' }),
    description: text(),
    entry_type: oneOf(['charge', 'payment'], {
      required: true,
      readonly: 'update',
      doc: 'whether it is owed or paid',
    }),
    incurred_date: date({ doc: 'when it was incurred' }),
    invoice_id: ref('invoice', { required: true, doc: 'the invoice it belongs to' }),
    qty: integer({ default: 1, min: 0, max: 1_000_000, doc: 'how many; of a payment always 1' }),
    total: money({
      readonly: true,
      sign: 'any',
      doc: 'amount times qty, as the invoice counts it; 0 until its payment is processed',
    }),
    transaction_id: ref('transaction', { readonly: 'update', doc: 'the transaction that pays' }),
    type: text({ doc: 'arbitrary classification' }),
    invoice: one('invoice', { by: 'invoice_id', nonDefault: true, doc: 'the invoice object' }),
    payment: one('transaction', {
      by: 'transaction_id',
      nonDefault: true,
      lasting: true,
      doc: 'the payment of a payment line item',
    }),
  },
  internal: {
    /** Outcome of the payment made with this item: `open` until it is known, `declined`, or null. */
    payment_outcome: oneOf(['open', 'declined']),
    /** Amount that a pending payment will pay once it is processed, above zero; otherwise null. */
    set_aside: money(),
  },
  restricts: {
    PUT: 'What a transaction pays changes only with the transaction',
    DELETE: 'What a transaction pays is not deleted: void or refund it',
  },
  answeredAs: 'TransactionDeclined',
  ownership: [{ kind: 'parent', column: 'invoice_id', resource: 'invoice' }],
  moves: 'nothing',
  least: 'manager',
  form: [
    { at: 'invoice_id', label: 'invoice that it stands on' },
    { at: 'entry_type', label: 'owed or paid' },
    { at: 'description', label: 'description' },
    { at: 'amount', label: 'price of one', example: '12.50', needed: NEEDED },
    { at: 'qty', label: 'how many' },
  ],
  seals: MONEY,
  example: { entry_type: 'charge', invoice_id: 'inv_…', description: 'beans', amount: 12.5 },
  columns: ['id', 'entry_type', 'description', 'amount', 'qty', 'total'],
  indexes: [['invoice_id'], ['transaction_id'], ['entry_type'], ['type']],
})
