import type { StatusCode } from '../../schema/status-codes.js'
import type { Avs, CvvResult } from '../contract.js'

/** Our status code, and further facts, for a code of Stripe. */
export interface StripeDecline {
  readonly statusCode: StatusCode
  /** Whether another attempt with the same method is useless. */
  readonly isHard?: true
  readonly cvv?: CvvResult
  readonly avs?: Avs
}

const HARD = { isHard: true } as const

/** Decline codes for cards; source: docs.stripe.com/declines/codes. */
const CARD_CODES: Readonly<Record<string, StripeDecline>> = {
  authentication_required: { statusCode: 'authentication_required' },
  authentication_not_handled: { statusCode: 'authentication_required' },
  mobile_device_authentication_required: { statusCode: 'authentication_required' },
  approve_with_id: { statusCode: 'general_decline' },
  call_issuer: { statusCode: 'general_decline' },
  card_not_supported: { statusCode: 'card_not_supported', ...HARD },
  card_velocity_exceeded: { statusCode: 'exceeded_limit' },
  currency_not_supported: { statusCode: 'currency_not_supported', ...HARD },
  do_not_honor: { statusCode: 'general_decline' },
  do_not_try_again: { statusCode: 'general_decline', ...HARD },
  duplicate_transaction: { statusCode: 'duplicate_attempt' },
  expired_card: { statusCode: 'card_expired', ...HARD },
  fraudulent: { statusCode: 'suspicious_activity', ...HARD },
  generic_decline: { statusCode: 'general_decline' },
  incorrect_address: { statusCode: 'invalid_address', avs: 'no_match' },
  incorrect_cvc: { statusCode: 'invalid_card_code', cvv: 'no_match' },
  incorrect_number: { statusCode: 'invalid_card_number', ...HARD },
  incorrect_pin: { statusCode: 'invalid_pin' },
  incorrect_postal_code: { statusCode: 'invalid_zip', avs: 'no_match' },
  incorrect_zip: { statusCode: 'invalid_zip', avs: 'no_match' },
  insufficient_funds: { statusCode: 'insufficient_bal' },
  invalid_account: { statusCode: 'invalid_card_number', ...HARD },
  invalid_amount: { statusCode: 'exceeded_limit' },
  invalid_cvc: { statusCode: 'invalid_card_code' },
  invalid_expiry_month: { statusCode: 'card_expired', ...HARD },
  invalid_expiry_year: { statusCode: 'card_expired', ...HARD },
  invalid_number: { statusCode: 'invalid_card_number', ...HARD },
  invalid_pin: { statusCode: 'invalid_pin' },
  issuer_not_available: { statusCode: 'issuer_unavailable' },
  lost_card: { statusCode: 'card_lost', ...HARD },
  merchant_blacklist: { statusCode: 'suspicious_activity', ...HARD },
  new_account_information_available: { statusCode: 'invalid_card_number', ...HARD },
  no_action_taken: { statusCode: 'general_decline' },
  not_permitted: { statusCode: 'not_permitted', ...HARD },
  offline_pin_required: { statusCode: 'invalid_pin' },
  online_or_offline_pin_required: { statusCode: 'invalid_pin' },
  pickup_card: { statusCode: 'card_lost', ...HARD },
  pin_try_exceeded: { statusCode: 'too_many_attempts' },
  processing_error: { statusCode: 'processing_error' },
  reenter_transaction: { statusCode: 'processing_error' },
  restricted_card: { statusCode: 'not_permitted', ...HARD },
  revocation_of_all_authorizations: { statusCode: 'authorization_revoked', ...HARD },
  revocation_of_authorization: { statusCode: 'authorization_revoked', ...HARD },
  security_violation: { statusCode: 'suspicious_activity', ...HARD },
  service_not_allowed: { statusCode: 'not_permitted', ...HARD },
  stolen_card: { statusCode: 'card_stolen', ...HARD },
  stop_payment_order: { statusCode: 'authorization_revoked', ...HARD },
  testmode_decline: { statusCode: 'general_decline', ...HARD },
  transaction_not_allowed: { statusCode: 'not_permitted', ...HARD },
  try_again_later: { statusCode: 'general_decline' },
  withdrawal_count_limit_exceeded: { statusCode: 'exceeded_limit' },
}

/**
 * Decline codes for bank accounts; sources: docs.stripe.com/declines/codes and docs.stripe.com/declines/network-codes.
 */
const BANK_CODES: Readonly<Record<string, StripeDecline>> = {
  account_closed: { statusCode: 'R02', ...HARD },
  bank_account_closed: { statusCode: 'R02', ...HARD },
  no_account: { statusCode: 'R03', ...HARD },
  account_number_invalid: { statusCode: 'R04', ...HARD },
  bank_account_invalid_details: { statusCode: 'R04', ...HARD },
  routing_number_invalid: { statusCode: 'R13', ...HARD },
  debit_not_authorized: { statusCode: 'R10', ...HARD },
  bank_account_restricted: { statusCode: 'R16', ...HARD },
  bank_account_declined: { statusCode: 'R23', ...HARD },
  bank_account_unusable: { statusCode: 'R20', ...HARD },
  bank_account_unverified: { statusCode: 'authentication_required' },
  bank_ownership_changed: { statusCode: 'R12', ...HARD },
  recipient_deceased: { statusCode: 'R15', ...HARD },
  refer_to_customer: { statusCode: 'R08', ...HARD },
  generic_could_not_process: { statusCode: 'R17' },
  payment_method_bank_account_blocked: { statusCode: 'R16', ...HARD },
  payment_method_microdeposit_failed: { statusCode: 'authentication_required' },
}

/** Errors of requests that Stripe refused, so that they had no effect; source: docs.stripe.com/error-codes. */
const REFUSALS: Readonly<Record<string, StripeDecline>> = {
  amount_too_large: { statusCode: 'exceeded_limit' },
  amount_too_small: { statusCode: 'amount_too_small' },
  balance_insufficient: { statusCode: 'gateway_balance_insufficient' },
  capture_charge_authorization_expired: { statusCode: 'authorization_expired', ...HARD },
  card_decline_rate_limit_exceeded: { statusCode: 'too_many_attempts' },
  card_declined: { statusCode: 'general_decline' },
  charge_already_captured: { statusCode: 'already_captured' },
  charge_already_refunded: { statusCode: 'already_refunded', ...HARD },
  charge_disputed: { statusCode: 'disputed', ...HARD },
  charge_exceeds_source_limit: { statusCode: 'exceeded_limit' },
  charge_exceeds_transaction_limit: { statusCode: 'exceeded_limit' },
  charge_expired_for_capture: { statusCode: 'authorization_expired', ...HARD },
  charge_not_refundable: { statusCode: 'not_refundable', ...HARD },
  expired_payment_method: { statusCode: 'card_expired', ...HARD },
  invalid_charge_amount: { statusCode: 'exceeded_limit' },
  setup_intent_authentication_failure: { statusCode: 'authentication_required' },
  payment_intent_authentication_failure: { statusCode: 'authentication_required' },
  payment_intent_mandate_invalid: { statusCode: 'authorization_revoked', ...HARD },
  payment_intent_payment_attempt_expired: { statusCode: 'authorization_expired' },
  payment_intent_payment_attempt_failed: { statusCode: 'general_decline' },
  payment_intent_rate_limit_exceeded: { statusCode: 'too_many_attempts' },
  payment_method_customer_decline: { statusCode: 'general_decline' },
  payment_method_provider_decline: { statusCode: 'general_decline' },
  payment_method_restricted: { statusCode: 'not_permitted', ...HARD },
  refund_disputed_payment: { statusCode: 'disputed', ...HARD },
  request_blocked: { statusCode: 'suspicious_activity', ...HARD },
}

const CODES = new Map(Object.entries({ ...REFUSALS, ...BANK_CODES, ...CARD_CODES }))

/**
 * Codes of errors that the merchant has to fix, not the payer, with the scope of each. The request had no effect.
 * `kind` means one kind of method.
 */
const MISCONFIGURED: ReadonlyMap<string, 'gateway' | 'merchant' | 'kind'> = new Map([
  ['account_invalid', 'merchant'],
  ['api_key_expired', 'gateway'],
  ['capability_not_active', 'kind'],
  ['livemode_mismatch', 'gateway'],
  ['not_allowed_on_standard_account', 'merchant'],
  ['payment_method_unactivated', 'kind'],
  ['platform_account_required', 'merchant'],
  ['platform_api_key_expired', 'gateway'],
  ['secret_key_required', 'gateway'],
  ['testmode_charges_only', 'merchant'],
  ['tls_version_unsupported', 'gateway'],
])

/**
 * Our meaning of a decline or an error. `codes` begins with the most specific code; the first known code counts. If
 * none is known, the status code is `declined`.
 */
export function declineOf(codes: readonly (string | null | undefined)[], advice?: string): StripeDecline {
  const known = codes.map((code) => CODES.get(code ?? '')).find((found) => found !== undefined)
  const decline: StripeDecline = known ?? { statusCode: 'declined' }
  return advice === 'do_not_try_again' ? { ...decline, isHard: true } : decline
}

/** Scope of an error that the merchant has to fix; undefined for any other error. */
export function misconfigured(code: string | undefined): 'gateway' | 'merchant' | 'kind' | undefined {
  return MISCONFIGURED.get(code ?? '')
}
