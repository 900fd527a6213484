import type { ShownCard } from './stripe-cards.js'

/** Stripe's objects in version 2026-10-28.endive, with the fields that the rail reads. */

export interface Charge {
  readonly id: string
  readonly object: 'charge'
  readonly payment_intent: string
  readonly metadata: Record<string, string>
  readonly outcome: { readonly network_status: string; readonly type: string }
  readonly payment_method_details: { readonly card?: CardDetails }
}

interface CardDetails extends ShownCard {
  readonly authorization_code: string
  readonly network_transaction_id: string
  readonly capture_before?: number
  readonly checks: {
    readonly address_line1_check: string | null
    readonly address_postal_code_check: string | null
    readonly cvc_check: string | null
  }
}

export interface PaymentMethod {
  readonly id: string
  readonly object: 'payment_method'
  readonly type: string
  customer: string | null
  readonly card?: ShownCard
  /** The complete number. Only the test server has it; Stripe shows four digits. */
  readonly number: string
  readonly cvc: string | undefined
  readonly street: string | undefined
  readonly zip: string | undefined
  /** Whether the method was used without a customer. Stripe accepts such a method only once. */
  isUsedUp: boolean
}

export interface StripeFault {
  readonly type: string
  readonly code?: string
  readonly decline_code?: string
  readonly advice_code?: string
  readonly param?: string
  readonly message: string
}

export interface PaymentIntent {
  readonly id: string
  readonly object: 'payment_intent'
  readonly created: number
  readonly currency: string
  readonly amount: number
  amount_received: number
  amount_capturable: number
  status: string
  cancellation_reason: string | null
  readonly capture_method: string
  readonly customer: string | null
  readonly payment_method: string | null
  readonly setup_future_usage: string | null
  readonly metadata: Record<string, string>
  readonly client_secret: string
  next_action: NextAction | null
  latest_charge: Charge | null
  last_payment_error: StripeFault | null
}

/** Step that the payer must take: with Stripe's script in the page, or at an address. */
export type NextAction =
  | { readonly type: 'use_stripe_sdk'; readonly use_stripe_sdk: { readonly type: string } }
  | {
      readonly type: 'redirect_to_url'
      readonly redirect_to_url: { readonly url: string; readonly return_url: string }
    }

export interface SetupIntent {
  readonly id: string
  readonly object: 'setup_intent'
  readonly created: number
  readonly client_secret: string
  status: string
  readonly cancellation_reason: string | null
  readonly customer: string | null
  readonly payment_method: string
  readonly metadata: Record<string, string>
  next_action: NextAction | null
  last_setup_error: StripeFault | null
}

export interface Refund {
  readonly id: string
  readonly object: 'refund'
  readonly currency: string
  readonly created: number
  readonly amount: number
  readonly payment_intent: string
  readonly metadata: Record<string, string>
  status: string
  failure_reason?: string
  /** The balance transaction, if the request expands it. */
  readonly balance_transaction?: { readonly id: string; readonly [name: string]: unknown }
}

export interface Dispute {
  readonly id: string
  readonly object: 'dispute'
  readonly currency: string
  readonly amount: number
  readonly payment_intent: PaymentIntent
  readonly network_reason_code: string | null
  readonly reason: string
  readonly balance_transactions: readonly { readonly amount: number; readonly fee: number }[]
  readonly evidence: Record<string, string>
  readonly evidence_details: { due_by: number | null; has_evidence: boolean; submission_count: number }
  status: string
}

/**
 * Builds the object for the amount that a partial capture released. Stripe lists it as a refund, although no refund was
 * requested.
 */
export const newRelease = (
  { id: payment_intent, currency }: PaymentIntent,
  {
    id,
    transaction,
    amount,
    created,
  }: Record<'id' | 'transaction', string> & Record<'amount' | 'created', number>,
): Refund => ({
  id,
  object: 'refund',
  currency,
  created,
  amount,
  payment_intent,
  metadata: {},
  status: 'succeeded',
  balance_transaction: {
    id: transaction,
    object: 'balance_transaction',
    type: 'refund',
    reporting_category: 'partial_capture_reversal',
    amount: -amount,
  },
})

/** Builds the first state of a dispute; `now` is in seconds. */
export const newDispute = ({ amount_received: amount }: PaymentIntent, now: number) => ({
  network_reason_code: '10.4',
  reason: 'fraudulent',
  status: 'needs_response',
  balance_transactions: [{ amount: -amount, fee: 1500 }],
  evidence: {},
  evidence_details: { due_by: now + 9 * 86_400, has_evidence: false, submission_count: 0 },
})

/** Behaviour of each test number, from docs.stripe.com/testing. */
export const TEST_NUMBERS: Readonly<
  Record<string, Partial<StripeFault> & { action?: 'always' | 'unless_set_up' }>
> = {
  '4000000000000002': { code: 'card_declined', decline_code: 'generic_decline' },
  '4000000000009995': { code: 'card_declined', decline_code: 'insufficient_funds' },
  '4000000000009987': { code: 'card_declined', decline_code: 'lost_card', advice_code: 'do_not_try_again' },
  '4000000000009979': { code: 'card_declined', decline_code: 'stolen_card', advice_code: 'do_not_try_again' },
  '4000000000000069': { code: 'expired_card' },
  '4000000000000127': { code: 'incorrect_cvc' },
  '4000000000000119': { code: 'processing_error' },
  '4000000000006975': { code: 'card_declined', decline_code: 'card_velocity_exceeded' },
  '4100000000000019': { code: 'card_declined', decline_code: 'fraudulent' },
  '4000000000000259': {},
  '4000002760003184': { action: 'always' },
  '4000002500003155': { action: 'unless_set_up' },
}

/** Error codes of bank accounts that fail, by account number. */
export const TEST_ACCOUNTS: Readonly<Record<string, string>> = {
  '000111111116': 'bank_account_invalid_details',
  '000111111113': 'bank_account_closed',
  '000222222227': 'insufficient_funds',
  '000333333335': 'debit_not_authorized',
}
