/** Reasons why a bank returns a debit: the codes of the ACH network, in words. */
export const RETURN_CODES = {
  R01: 'Returned by the bank: the balance is not sufficient',
  R02: 'Returned by the bank: the account is closed',
  R03: 'Returned by the bank: there is no such account',
  R04: 'Returned by the bank: the account number is not right',
  R05: 'Returned by the bank: a consumer did not authorize a corporate debit',
  R06: 'Returned at the request of the bank that sent it',
  R07: 'Returned by the bank: the authorization was revoked by the customer',
  R08: 'Returned by the bank: the customer stopped the payment',
  R09: 'Returned by the bank: the funds are not collected yet',
  R10: 'Returned by the bank: the customer says it was not authorized',
  R11: 'Returned by the bank: it is not as the customer authorized it',
  R12: 'Returned by the bank: the account was sold to another bank',
  R13: 'Returned by the bank: the routing number is not right',
  R14: 'Returned by the bank: the representative payee has died or cannot act any more',
  R15: 'Returned by the bank: the beneficiary or the account holder has died',
  R16: 'Returned by the bank: the account is frozen',
  R17: 'Returned by the bank: the entry could not be processed as it was written',
  R20: 'Returned by the bank: the account does not allow such debits',
  R21: 'Returned by the bank: the identification of the company is not right',
  R22: 'Returned by the bank: the identification of the individual is not right',
  R23: 'Returned by the bank: the receiver refused it',
  R24: 'Returned by the bank: it came twice',
  R29: 'Returned by the bank: the corporate customer says it was not authorized',
  R31: 'Returned by the bank: with the agreement of the bank that sent it',
  R33: 'Returned by the bank: the check that it was made from is disputed',
} as const

/** Whether a chargeback is a bank return, which costs no fee and is never won back. */
export function isReturn(statusCode: string | null): boolean {
  return statusCode !== null && /^R\d\d$/.test(statusCode)
}

/** Whether the network lets a returned debit be presented again: the money was missing, or not collected yet. */
export function isPresentedAgain(statusCode: string | null): boolean {
  return statusCode === 'R01' || statusCode === 'R09'
}

/** Words for each `status_code`. docs/interface.md, "Test environment", lists the codes of the simulator. */
const MESSAGES = {
  approved: 'Approved',
  voided: 'Voided before it settled',
  card_expired: 'The card has expired',
  duplicate_attempt: 'The same payment was tried before',
  exceeded_limit: 'The amount is above the limit of the method',
  general_decline: 'Declined without a stated reason',
  insufficient_bal: 'The balance is not sufficient',
  invalid_card_code: 'The card code is not right',
  invalid_card_number: 'The card number is not right',
  invalid_zip: 'The postal code does not match the card',
  suspicious_activity: 'Declined because of suspicious activity',
  too_many_attempts: 'Tried too many times',
  chargeback: 'Charged back by the bank of the payer',
  dispute_won: 'The dispute was won: the chargeback is reversed',
  batching: 'Being put together',
  deposited: 'Paid into the bank account',
  taken_back: 'Taken from the bank account',
  never_sent: 'The request never reached the processor; no money moved',
  declined: 'Declined by the processor',
  authentication_required: 'The payer has to authenticate with the bank',
  partial_approval: 'Only a part was approved, and that was given back',
  token_unknown:
    'The gateway does not know the token of this payment method: it was deleted there, or is of another account',
  gateway_unavailable: 'The processor could not be reached; no money moved',
  gateway_misconfigured: 'The processor does not accept the service; no money moved',
  already_captured: 'already captured',
  already_refunded: 'already refunded',
  already_settled: 'already settled',
  amount_too_small: 'amount too small',
  authorization_expired: 'authorization expired',
  authorization_not_supported: 'authorization not supported',
  authorization_revoked: 'authorization revoked',
  card_lost: 'card lost',
  card_not_supported: 'card not supported',
  card_stolen: 'card stolen',
  credit_not_supported: 'credit not supported',
  currency_not_supported: 'currency not supported',
  disputed: 'disputed',
  gateway_balance_insufficient: 'gateway balance insufficient',
  invalid_address: 'invalid address',
  invalid_bank_account: 'invalid bank account',
  invalid_pin: 'invalid pin',
  issuer_unavailable: 'issuer unavailable',
  method_not_accepted: 'method not accepted',
  not_permitted: 'not permitted',
  not_refundable: 'not refundable',
  not_settled: 'not settled',
  processing_error: 'processing error',
  ...RETURN_CODES,
} as const

/** Every `status_code` of the service. A gateway that is payctl too may have others. */
export type StatusCode = keyof typeof MESSAGES

/**
 * Status codes of declined operations that no bank has decided, because the gateway was not reached or
 * accepted no request.
 */
export const OUTAGE_CODES: ReadonlySet<string> = new Set<StatusCode>([
  'gateway_unavailable',
  'gateway_misconfigured',
  'never_sent',
])

/** A transaction's `status_message`; the code itself if it has no message. */
export function statusMessage(statusCode: string | null): string {
  if (statusCode === null) return 'Waiting for the answer of the processor'
  return isStatusCode(statusCode) ? MESSAGES[statusCode] : statusCode.replaceAll('_', ' ')
}

function isStatusCode(code: string): code is StatusCode {
  return Object.hasOwn(MESSAGES, code)
}
