/** Start of the card numbers that decline in the test environment; the last two digits are the reason's index. */
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

/** Card numbers that decline in the test environment, with their `status_code`. All other numbers are approved. */
export const DECLINING_CARDS: ReadonlyMap<string, (typeof REASONS)[number]> = new Map(
  REASONS.map((reason, index) => [`${PREFIX}${String(index).padStart(2, '0')}`, reason]),
)

/** Card numbers that are approved in the test environment, by brand. */
export const APPROVED_CARDS = [
  ['4242424242424242', 'Visa'],
  ['5555555555554444', 'Mastercard'],
  ['378282246310005', 'American Express'],
  ['6011111111111117', 'Discover'],
] as const
