import {
  date,
  datetime,
  digits,
  flag,
  group,
  many,
  money,
  number,
  one,
  oneOf,
  postalCode,
  ref,
  text,
} from '../schema/field.js'
import { formInside } from '../schema/form.js'
import { resource } from '../schema/resource.js'
import { MONEY } from '../schema/seal-rule.js'
import { MAX_RETURN_ADDRESS, nextAction } from './next-action.js'
import { orderDetails } from './order-details.js'
import { methodForm } from './payment-method.js'

const ifPaid = { with: { at: 'type', is: 'payment' } } as const
/** Attributes that a payment may have instead of a new payment method. */
const METHODS = ['payment_method', 'payment_method_id', 'customer_id', 'payment_link_id']

/** Spec: "Transaction". */
export const transaction = resource({
  name: 'transaction',
  plural: 'transactions',
  prefix: 'txn_',
  summary: 'A payment, refund, credit, deposit, reversal or chargeback.',
  fields: {
    amount: money({ required: true, readonly: 'update', sign: 'positive', doc: 'transaction amount' }),
    avs: oneOf(['no_match', 'street_and_zip', 'street', 'zip', 'unknown'], {
      readonly: true,
      doc: 'address check',
    }),
    card_code: digits({ min: 3, max: 4, transient: true, nonDefault: true, doc: 'CVV on the card back' }),
    conv_fee: money({ nonDefault: true, readonly: true, doc: 'convenience fee charged to the customer' }),
    customer_id: ref('customer', {
      readonly: 'update',
      once: true,
      doc: 'associated customer; if a payment has none, it can be set once',
    }),
    description: text(),
    descriptor: text({
      nonDefault: true,
      readonly: 'update',
      max: 22,
      doc: 'descriptor shown on the bank statement',
    }),
    fee: money({
      readonly: true,
      doc: 'processing fee charged to the processing account; zero when the account is set to gross deposits',
    }),
    accrued_fee: money({
      nonDefault: true,
      readonly: 'function',
      doc: 'fee that the bill of the month will charge; fee is 0 in that case',
    }),
    unexplained: money({
      nonDefault: true,
      readonly: true,
      sign: 'any',
      doc: "part of a gateway's payout that matches no transaction; amount + fee = sum of the deposit's entries + this",
    }),
    settlement_id: ref('settlement', {
      nonDefault: true,
      readonly: true,
      doc: 'the settlement that the deposit pays out',
    }),
    authorized_amount: money({
      nonDefault: true,
      readonly: true,
      doc: 'authorized amount, if only a part of it was captured',
    }),
    capture_before: datetime({
      nonDefault: true,
      readonly: true,
      doc: 'when its authorization ends, if the gateway reports it (UTC)',
    }),
    charged_by: ref('transaction', {
      nonDefault: true,
      readonly: 'function',
      doc: 'the deposit, reversal or bill that its fees went into',
    }),
    period: text({
      nonDefault: true,
      readonly: 'function',
      doc: 'business day (YYYY-MM-DD) of a deposit or reversal by a funding run; month (YYYY-MM) of a bill',
    }),
    funding_status: oneOf(['pending', 'captured', 'batched', 'refunded', 'reversed'], {
      readonly: 'function',
      doc: 'state of its deposit: pending until its business day ends, captured until it is deposited, then batched',
    }),
    ledger: many('transaction_ledger', { by: 'transaction_id', doc: 'transaction ledger entries' }),
    order_number: text(),
    payment_method: one('payment_method', {
      by: 'payment_method_id',
      lasting: true,
      doc: 'payment method object',
    }),
    payment_method_id: ref('payment_method', { readonly: 'update' }),
    processed_date: date({ readonly: 'method', doc: 'date processed' }),
    processing_id: ref('processing_account', { readonly: 'update', doc: 'destination processing account' }),
    reader_id: ref('reader', { readonly: 'update', doc: 'card reader' }),
    receipts: many('receipt', { by: 'transaction_id', doc: 'notification objects' }),
    next_action: nextAction,
    return_url: text({
      nonDefault: true,
      readonly: 'update',
      max: MAX_RETURN_ADDRESS,
      doc: 'address to which the payer returns from the page of next_action, with transaction_id in the query',
    }),
    gateway: text({ nonDefault: true, readonly: true, doc: 'the gateway that took it' }),
    gateway_id: text({ nonDefault: true, readonly: true, doc: "the gateway's id of the transaction" }),
    auth_code: text({ nonDefault: true, readonly: true, doc: 'authorization code of the issuer' }),
    cvv_result: oneOf(['match', 'no_match', 'not_checked', 'unknown'], {
      nonDefault: true,
      readonly: true,
      doc: 'check of the CVV',
    }),
    network_id: text({ nonDefault: true, readonly: true, doc: "the card network's id of the transaction" }),
    gateway_code: text({ nonDefault: true, readonly: true, doc: "the gateway's own code, as it came" }),
    ref_number: text({ readonly: true, doc: 'human-readable reference' }),
    risk_flag: oneOf(['in_review', 'allowed', 'denied'], {
      readonly: true,
      doc: 'decision of the screening for risk',
    }),
    risk_score: number({ readonly: true, doc: 'from 0 to 1' }),
    source: oneOf(['keyed', 'swipe', 'emv', 'emv_quickchip', 'nfc', 'googlepay', 'applepay'], {
      readonly: 'update',
      doc: 'how the method was read',
    }),
    status: oneOf(['authorized', 'processing', 'processed', 'declined', 'voided', 'rejected'], {
      doc: 'state of the transaction; a payment may be created as authorized, then set to processed (captured) or voided',
    }),
    status_code: text({ readonly: 'function', doc: 'code giving the reason for the status' }),
    status_message: text({ readonly: true, doc: 'human-readable status text' }),
    type: oneOf(['payment', 'deposit', 'reversal', 'refund', 'credit', 'chargeback', 'chargeback_reversal'], {
      readonly: 'update',
      required: true,
      creatable: ['payment', 'refund', 'credit'],
      doc: 'kind of the transaction; only the service makes the other kinds than payment, refund and credit',
    }),
    order_details: orderDetails,
    shipping_details: group({
      city: text(),
      country_code: text(),
      postal_code: postalCode({ required: true }),
      rcpt_company: text(),
      rcpt_first_name: text(),
      rcpt_last_name: text(),
      state_province: text(),
      street_address: text(),
      unit_number: text(),
    }),
    allocations: many('line_item', {
      by: 'transaction_id',
      preset: { entry_type: 'payment' },
      least: 'cashier',
      doc: 'line items of the invoices that it pays',
    }),
    customer: one('customer', {
      by: 'customer_id',
      nonDefault: true,
      lasting: true,
      doc: 'the customer object',
    }),
    payment_link_id: ref('payment_link', {
      nonDefault: true,
      readonly: 'update',
      doc: 'the payment link that it was paid by',
    }),
    reader: one('reader', {
      by: 'reader_id',
      nonDefault: true,
      lasting: true,
      doc: 'the card reader object',
    }),
    processing: one('processing_account', {
      by: 'processing_id',
      nonDefault: true,
      lasting: true,
      undeletable: 'A processing account with transactions is not deleted',
      doc: 'the processing account object',
    }),
  },
  internal: {
    /** Sum of refunds that are processed or pending. Invariant: `refunded + charged_back <= amount`. */
    refunded: money(),
    charged_back: money(),
    /**
     * Part of the payment's amount that pays invoices. Invariant: at most what remains after refunds and
     * chargebacks.
     */
    allocated: money(),
    /** Status after an approval: `authorized` or `processed`. */
    requested_status: text(),
    /** Whether the payment was made without a request, for a due invoice of a schedule. */
    automatic: flag(),
    /** Keyed hash of the method's number, if payments are screened: finds earlier payments with the number. */
    method_fingerprint: text({ vault: 'number_hash' }),
    /**
     * The operation at the gateway whose outcome is unknown. Until the outcome is known, no other operation
     * may start.
     */
    pending_operation: text(),
    /** Approved amount, if the gateway approved less than the requested amount. */
    approved_amount: money(),
    /**
     * Only for a chargeback: the part of its amount that exceeds the payment, which is a loss of the operator; and the
     * payment's id.
     */
    excess: money(),
    disputed_id: ref('transaction'),
    /** The merchant's account at the gateway, if the payment's route names one. */
    gateway_merchant: text(),
    /** Next step of settlement for this transaction. With `cut_off` it is the end of its business day. */
    awaiting: oneOf(['cut_off', 'funding', 'parts', 'bill']),
    /** Time at which the step in `awaiting` is due: the end of a business day. */
    due_at: datetime(),
    /** Sum of the ledger entries of a deposit, reversal or bill. */
    entered: money(),
    /** The reference of the dispute, for a chargeback and its reversal. */
    dispute: text(),
  },
  ownership: [{ kind: 'names', column: 'processing_id' }],
  moves: {
    create: {
      by: ['type'],
      is: {
        payment: { by: ['status'], is: { authorized: 'authorize' }, otherwise: 'pay', unset: 'pay' },
        // A refund that names no payment gives money away, as a credit does.
        refund: { naming: ['ledger', 'assoc_transaction_id'], moves: 'refund', otherwise: 'credit' },
      },
      otherwise: 'credit',
      unset: 'pay',
    },
    update: {
      by: ['status'],
      is: { processed: 'capture', voided: 'void' },
      otherwise: 'change',
      unset: 'change',
    },
    delete: 'change',
  },
  least: 'cashier',
  seals: MONEY,
  actions: {
    capture: {
      summary: 'capture an authorized payment, in full or in part; the rest is released',
      moves: 'capture',
      changes: true,
      input: {
        amount: money({ sign: 'positive', doc: 'how much of it; all unless given' }),
        allow_unallocated: flag({
          doc: 'capture also the part that does not fit the invoices that it was to pay',
        }),
      },
    },
    review: {
      summary: 'allow or deny a payment that is held for review',
      moves: 'review',
      input: { decision: oneOf(['allow', 'deny'], { required: true, doc: 'allow, deny' }) },
      manage: true,
    },
  },
  restricts: {
    PUT: 'The status changes only as the rules of money allow',
    DELETE: 'Only declined and voided transactions are deleted',
  },
  answeredAs: 'TransactionDeclined',
  example: {
    type: 'payment',
    amount: 29.99,
    payment_method: {
      type: 'card',
      card: { card_number: '4242 4242 4242 4242', expiry: '12/39', card_code: '123' },
      billing_address: { postal_code: '11238' },
    },
  },
  form: [
    { at: 'type', label: 'what it does' },
    { at: 'amount', label: 'amount', example: '29.99' },
    { at: 'customer_id', label: 'customer who pays' },
    { at: 'processing_id', label: 'processing account that is paid' },
    { at: 'payment_method_id', label: 'saved payment method' },
    ...formInside('payment_method', methodForm).map((field) =>
      field.at === 'payment_method.type' ? { ...field, ...ifPaid, needed: { unless: METHODS } } : field,
    ),
    { at: 'description', label: 'what for' },
    { at: 'order_number', label: 'number of the order' },
  ],
  reference: 'ref_number',
  columns: [
    'id',
    'type',
    'amount',
    'status',
    'funding_status',
    'customer[name]',
    'payment_method[description]',
    'created_at',
  ],
  indexes: [
    ['created_at'],
    ['type', 'created_at'],
    ['status', 'created_at'],
    ['funding_status', 'created_at'],
    ['processing_id', 'created_at'],
    ['customer_id', 'created_at'],
    ['payment_method_id'],
    ['order_number'],
    ['amount'],
    ['pending_operation'],
    ['payment_link_id'],
    ['method_fingerprint', 'created_at'],
    ['reader_id'],
    ['awaiting', 'due_at', 'processing_id'],
    ['gateway_id'],
    ['disputed_id'],
    ['capture_before'],
  ],
})
