import { address, datetime, flag, json, many, money, one, oneOf, ref, text } from '../schema/field.js'
import { LANGUAGES } from '../schema/language.js'
import { resource } from '../schema/resource.js'
import { MONEY } from '../schema/seal-rule.js'

/** Spec: "What the service does", rule 4, names payment links; their fields are not shown there. */
export const paymentLink = resource({
  name: 'payment_link',
  plural: 'payment_links',
  prefix: 'plnk_',
  summary: 'A page where somebody pays an amount or an invoice.',
  fields: {
    type: oneOf(['one_time', 'reusable', 'method'], {
      default: 'one_time',
      readonly: 'update',
      doc: 'one_time: paid once; reusable: paid again and again; method: the customer saves or replaces a card or bank account',
    }),
    amount: money({
      sign: 'any',
      doc: 'amount to pay, above zero; the link of an invoice asks for what is due',
    }),
    description: text({ doc: "what is paid for; the invoice's unless given" }),
    processing_id: ref('processing_account', { readonly: 'update', doc: 'who is paid' }),
    customer_id: ref('customer', { readonly: 'update', doc: 'who pays' }),
    invoice_id: ref('invoice', { readonly: 'update', doc: 'the invoice that is paid' }),
    failed_payment_id: ref('transaction', {
      nonDefault: true,
      readonly: true,
      doc: 'declined automatic payment for which the link was made; the link is completed once its invoice is paid',
    }),
    status: oneOf(['active', 'inactive', 'completed', 'expired'], {
      default: 'active',
      doc: 'active and inactive are set by clients, the others by the service',
    }),
    url: address({
      page: 'pay',
      open: true,
      scanned: true,
      shows: 'url',
      doc: 'address of the page; with .qrcode.svg before the query, that of its QR code',
    }),
    expires_at: datetime({ doc: 'from when it cannot be paid any more' }),
    additional_datafields: json({ doc: 'further fields that the payer fills in' }),
    locale: oneOf(LANGUAGES, { doc: "language of the page; unless given, that of the payer's browser" }),
    checkout_options: json({ flags: true, doc: 'how the page looks and what it accepts' }),
    email_customer: flag({
      unset: false,
      doc: 'whether the link is mailed to its customer, when it is made or when this becomes true',
    }),
    notifications: many('link_notification', {
      by: 'payment_link_id',
      doc: 'who else it is sent to, and what became of each mail',
    }),
    attachments: many('invoice_attachment', { by: 'payment_link_id', doc: 'files that go with it' }),
    customer: one('customer', {
      by: 'customer_id',
      nonDefault: true,
      lasting: true,
      doc: 'the customer object',
    }),
    invoice: one('invoice', {
      by: 'invoice_id',
      nonDefault: true,
      lasting: true,
      doc: 'the invoice object',
    }),
  },
  internal: {
    /**
     * Whether a payment through a one-time link is pending; until it ends, the link refuses other payments.
     */
    taken: flag(),
    /** Number of the order that its payments are for. */
    order_number: text(),
    /** Addresses to which its page sends the payer: `success_url`, `cancel_url` and `completed_url`, each optional. */
    redirects: json(),
  },
  ownership: [{ kind: 'names', column: 'processing_id' }],
  moves: 'nothing',
  least: 'cashier',
  form: [
    { at: 'amount', label: 'amount', example: '29.99', needed: { unless: ['invoice_id'] } },
    { at: 'description', label: 'what for' },
    { at: 'type', label: 'paid once or again and again' },
    { at: 'processing_id', label: 'processing account that is paid' },
    { at: 'customer_id', label: 'customer who pays' },
    { at: 'invoice_id', label: 'invoice that is paid' },
    { at: 'expires_at', label: 'last moment to pay', unit: 'YYYY-MM-DD HH:MM:SS' },
  ],
  seals: MONEY,
  example: { type: 'one_time', amount: 29.99, description: 'A book' },
  columns: ['id', 'type', 'amount', 'description', 'status', 'url', 'expires_at'],
  indexes: [['processing_id'], ['customer_id'], ['invoice_id'], ['failed_payment_id'], ['status']],
})
