/** Triggers of payments and accounts that can be fired in the test environment. Spec: "Events", trigger values. */
export const SIMULATED_TRIGGERS = [
  'reject',
  'refund',
  'void',
  'reversal',
  'automatic_payment',
  'payment',
  'processed',
  'authorized',
  'credit',
  'decline',
  'processing_status',
  'deposit',
  'payment_activation:status',
  'payment_link:status',
] as const

/** Triggers of webhooks. `gateway` and those after it are for operators only. */
export const TRIGGERS = [
  ...SIMULATED_TRIGGERS,
  'card_testing',
  'dispute',
  'dispute_due',
  'gateway',
  'exception',
  'number_guessing',
] as const

export type Trigger = (typeof TRIGGERS)[number]

/**
 * Object of each trigger, and the change that fires it. The `value` of an event is the status of the object at the
 * time.
 */
export const FIRED = {
  reject: { object: 'transaction', when: 'a payment was charged back, or returned by a bank' },
  refund: { object: 'transaction', when: 'a refund was processed' },
  void: { object: 'transaction', when: 'a payment was voided, or its authorization expired' },
  reversal: {
    object: 'transaction',
    when: 'money was taken back from a processing account: for a refund or chargeback after the deposit, for fees, or for a day with a negative sum',
  },
  automatic_payment: {
    object: 'transaction',
    when: 'a billing schedule took a payment by itself; `payment` follows',
  },
  payment: {
    object: 'transaction',
    when: 'a payment was approved; `processed` or `authorized` follows, by its status',
  },
  processed: {
    object: 'transaction',
    when: 'a payment was processed: at once, captured later, found approved by reconciliation, or again by a dispute that was won',
  },
  authorized: {
    object: 'transaction',
    when: 'a payment was authorized, because that was requested or it is held for review',
  },
  credit: { object: 'transaction', when: 'a credit was processed' },
  decline: {
    object: 'transaction',
    when: 'a payment, refund or credit was declined, by a rule, the risk check or the gateway',
  },
  processing_status: {
    object: 'processing_account',
    when: 'the processing status of an account changed, by the operator or by what belongs to the account',
  },
  deposit: { object: 'transaction', when: 'a funding run completed a deposit' },
  'payment_activation:status': {
    object: 'payment_activation',
    when: 'a payment activation was made, activated, canceled, or expired',
  },
  'payment_link:status': {
    object: 'payment_link',
    when: 'a payment link was made, completed, switched off or on, or expired',
  },
  card_testing: {
    object: 'processing_account',
    when: 'a payer was refused for trying too many different numbers; once an hour for each link and client key',
  },
  dispute: {
    object: 'dispute',
    when: 'a dispute began, or came to another stage',
  },
  dispute_due: {
    object: 'dispute',
    when: 'evidence against a dispute is due within three days; once for each deadline',
  },
  gateway: {
    object: 'gateway',
    when: 'a gateway was added, changed, paused, resumed or removed, or a route to it changed; for keys that may manage',
  },
  exception: {
    object: 'exception',
    when: 'a report of a gateway does not fit the books, or an operator decided about it; for keys that may manage',
  },
  number_guessing: {
    object: 'api_key',
    or: 'oauth_grant',
    when: 'a key was refused for filtering by too many numbers; once an hour for each; for keys that may manage',
  },
} as const satisfies Record<Trigger, { readonly object: string; readonly or?: string; readonly when: string }>

/** Triggers whose object is a transaction. */
export type TransactionTrigger = {
  [T in Trigger]: (typeof FIRED)[T]['object'] extends 'transaction' ? T : never
}[Trigger]
