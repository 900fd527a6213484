import type { StatusCode } from '../../../schema/status-codes.js'

/** Advice for payers and merchants after a decline, by its `status_code`. */
const ADVICE: Readonly<Partial<Record<StatusCode, string>>> = {
  card_expired: 'The payer needs another card, or the new date of this one.',
  duplicate_attempt: 'Look for the payment before it: it may have been taken already.',
  exceeded_limit: 'A smaller amount or another method may pass; the bank of the payer can raise the limit.',
  general_decline: 'The bank gives no reason. Only the payer can ask it; another card may pass.',
  insufficient_bal: 'The payer may try again when there is money, or use another method.',
  invalid_card_code: 'The three or four digits on the card were mistyped; the payer may try again.',
  invalid_card_number: 'The number was mistyped; the payer may try again.',
  invalid_zip:
    'The postal code is not the one that the bank knows; the payer may try again with the right one.',
  suspicious_activity:
    'The screening refused it. Its score and its checks are below; another card does not help.',
  too_many_attempts: 'Too many were tried in a short time; a later attempt may pass.',
  authentication_required:
    'The payer did not confirm it with their bank. Send a payment link, or one on which the payer saves a card.',
  partial_approval: 'The card has less than the amount: take a smaller one, or another method.',
  gateway_unavailable: 'The processor could not be reached: it may be tried again.',
  gateway_misconfigured: 'The connection to the processor has to be put right in the settings first.',
}

/** Advice about a decline, in one or two sentences; undefined if there is none for its code. */
export function declineAdvice(code: string | undefined): string | undefined {
  const known: Readonly<Record<string, string>> = ADVICE
  return code === undefined ? undefined : known[code]
}
