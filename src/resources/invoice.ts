import {
  address,
  date,
  datetime,
  derived,
  email,
  flag,
  group,
  integer,
  many,
  money,
  one,
  postalCode,
  ref,
  text,
} from '../schema/field.js'
import { resource } from '../schema/resource.js'
import { MONEY } from '../schema/seal-rule.js'

/** Spec: "Invoice". */
export const invoice = resource({
  name: 'invoice',
  plural: 'invoices',
  prefix: 'inv_',
  summary: 'What a customer owes, and how much of it is paid.',
  fields: {
    amount_due: money({ readonly: true, sign: 'any', doc: 'remaining amount due' }),
    attachments: many('invoice_attachment', { by: 'invoice_id', doc: 'invoice attachment objects' }),
    billing_schedule_id: ref('billing_schedule', { doc: 'the schedule that made it' }),
    collect_on: date({
      nonDefault: true,
      readonly: true,
      doc: 'day of the next automatic payment; null if there will be none',
    }),
    customer_id: ref('customer', { required: true, doc: 'who owes' }),
    description: text(),
    due_date: date({ doc: 'last day to pay before it is overdue' }),
    items: many('line_item', { by: 'invoice_id', shown: true, doc: 'line item objects' }),
    number: text({
      readonly: true,
      doc: 'number without gaps, per processing account and year; a deleted invoice keeps its own',
    }),
    paid_timestamp: date({ readonly: true, doc: 'when fully paid' }),
    processing_id: ref('processing_account', { doc: 'who is paid' }),
    processing_settings_id: ref('processing_settings', { readonly: true }),
    status: derived(['pending', 'overdue', 'partially_paid', 'paid'], {
      cases: [
        {
          is: 'paid',
          when: [
            { column: 'item_count', operator: '>', value: 0 },
            { column: 'amount_due', operator: '<=', value: 0 },
          ],
        },
        { is: 'overdue', when: [{ column: 'overdue_at', operator: '<=', value: 'now' }] },
        { is: 'partially_paid', when: [{ column: 'total_paid', operator: '>', value: 0 }] },
      ],
      otherwise: 'pending',
      doc: 'computed from the totals, the due date and the current day',
    }),
    total_due: money({ readonly: true, sign: 'any', doc: 'sum of its charges' }),
    total_paid: money({ readonly: true, sign: 'any', doc: 'sum of its payments' }),
    type: text({ doc: 'arbitrary classification' }),
    url: address({
      page: 'invoice',
      shows: 'url',
      nonDefault: true,
      doc: 'the page to read, print and pay; needs no key and cannot be guessed',
    }),
    billing_contact: group({
      city: text({ readonly: true }),
      email: email({ readonly: true }),
      name: text({ readonly: true }),
      postal_code: postalCode({ readonly: true }),
      state_province: text({ readonly: true }),
      street_address1: text({ readonly: true }),
    }),
    billing_schedule: one('billing_schedule', {
      by: 'billing_schedule_id',
      nonDefault: true,
      lasting: true,
      doc: 'the schedule object',
    }),
    customer: one('customer', {
      by: 'customer_id',
      nonDefault: true,
      lasting: true,
      doc: 'the customer object',
    }),
    processing_settings: one('processing_settings', {
      by: 'processing_settings_id',
      undeletable: 'Settings of a processing account or organization are not deleted',
      nonDefault: true,
      doc: 'settings of the processing account',
    }),
  },
  internal: {
    /**
     * Series of the invoice number, which is the processing account and the year (`acct_…/2027`), and the position in
     * that series.
     */
    number_series: text(),
    number_position: integer(),
    /** Number of charges; an invoice without charges is not paid. */
    item_count: integer(),
    /** The end of the due date in the organization's time zone. */
    overdue_at: datetime(),
    /** Billing day of the schedule; each schedule and slot has one invoice. */
    slot: date(),
    /** Beginning of `collect_on` in the organization's time zone. */
    collect_at: datetime(),
    /** Whether a client has stopped the automatic payments of the invoice. */
    collect_stopped: flag(),
    /**
     * Time at which the retry days of automatic payments last began anew, because a client resumed them or a bank
     * returned a payment.
     */
    collect_since: datetime(),
  },
  ownership: [{ kind: 'names', column: 'processing_id' }],
  moves: 'nothing',
  least: 'manager',
  form: [
    { at: 'customer_id', label: 'customer who owes' },
    { at: 'processing_id', label: 'processing account that is paid' },
    { at: 'description', label: 'what for' },
    { at: 'due_date', label: 'due date', unit: 'YYYY-MM-DD' },
  ],
  seals: MONEY,
  actions: {
    collect: {
      summary: "charge the customer's default payment method at once for what is due",
      input: {},
      moves: 'pay',
      amountIn: 'amount_due',
      answers: 'transaction',
    },
    stop_collecting: {
      summary: 'stop automatic payments of an invoice; it stays open to be paid otherwise',
      input: {},
      moves: 'nothing',
      changes: true,
    },
    resume_collecting: {
      summary: 'take automatic payments of an invoice again, for five more days',
      input: {},
      moves: 'nothing',
      changes: true,
    },
  },
  restricts: { DELETE: 'An invoice with effective payments is not deleted' },
  reference: 'number',
  columns: ['id', 'description', 'customer[name]', 'status', 'due_date', 'total_due', 'amount_due'],
  indexes: [
    ['customer_id'],
    ['processing_id'],
    ['billing_schedule_id'],
    ['due_date'],
    ['number'],
    ['amount_due'],
    ['paid_timestamp'],
    ['type'],
  ],
})
