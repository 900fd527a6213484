import { RETURN_CODES } from './return-codes.js'

/** Words for each `status_code`. Decisions: "Test environment" lists the codes of the gateway. */
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
  ...RETURN_CODES,
}

/** A transaction's `status_message`; a code without words of its own says itself. */
export function statusMessage(statusCode: string | null): string {
  if (statusCode === null) return 'Waiting for the answer of the processor'
  return MESSAGES[statusCode] ?? statusCode.replaceAll('_', ' ')
}
