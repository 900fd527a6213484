/** How each test card number that declines starts; its last two digits choose the reason. */
const PREFIX = '41111111111199'

const REASONS = [
  'card_expired',
  'duplicate_attempt',
  'exceeded_limit',
  'general_decline',
  'insufficient_bal',
  'invalid_card_code',
  'invalid_card_number',
  'invalid_zip',
  'suspicious_activity',
  'too_many_attempts',
] as const

/** Why a test card number declines (`status_code`); nothing when it is approved. Decisions: "Test environment". */
export function declineReason(digits: string): string | undefined {
  return digits.length === 16 && digits.startsWith(PREFIX) ? REASONS[Number(digits.slice(14))] : undefined
}
