/** Reasons why a bank returns a debit: the codes of the ACH network, in words. */
export const RETURN_CODES: Readonly<Record<string, string>> = {
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
}

/** Whether a chargeback is a bank return, which costs no fee and is never won back. */
export function isReturn(statusCode: string | null): boolean {
  return statusCode !== null && /^R\d\d$/.test(statusCode)
}

/** Whether the network lets a returned debit be presented again: the money was missing, or not collected yet. */
export function isPresentedAgain(statusCode: string | null): boolean {
  return statusCode === 'R01' || statusCode === 'R09'
}

/** Words for each `status_code`. docs/interface.md, "Test environment", lists the codes of the simulator. */
const MESSAGES: Readonly<Record<string, string>> = {
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
  ...RETURN_CODES,
}

/** A transaction's `status_message`; the code itself if it has no message. */
export function statusMessage(statusCode: string | null): string {
  if (statusCode === null) return 'Waiting for the answer of the processor'
  return MESSAGES[statusCode] ?? statusCode.replaceAll('_', ' ')
}
