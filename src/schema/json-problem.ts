import { CARD_NAME_PROBLEM, CARD_NUMBER_PROBLEM, hasCardNumber, isCardDataName } from './card-data.js'
import { isStorable } from './read.js'

/** Maximum characters of an attribute's JSON text. */
const LARGEST_JSON = 65_536

/** Problem of an attribute's JSON value; undefined if none. Values that are not stored may contain card data. */
export function jsonProblem(
  value: unknown,
  { isKept, max = LARGEST_JSON }: { readonly isKept: boolean; readonly max?: number | undefined },
): string | undefined {
  if (!isStorableJson(value)) return 'Must be valid JSON without NUL and broken characters'
  if (!hasPlainNames(value)) return 'Must have names without control characters'
  if (!hasExactNumbers(value)) return 'Must have numbers that are kept exactly; write others as text'
  if (JSON.stringify(value ?? null).length > max) return `Must be at most ${max} characters of JSON`
  return isKept ? cardDataProblem(value) : undefined
}

/**
 * Problem of card data in a text, number or name inside. It would be stored, shown and sent to webhooks in
 * plain text.
 */
function cardDataProblem(value: unknown): string | undefined {
  if (typeof value === 'string' || typeof value === 'number')
    return hasCardNumber(String(value)) ? CARD_NUMBER_PROBLEM : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, inner] of Object.entries(value)) {
    if (isCardDataName(name)) return CARD_NAME_PROBLEM
    const problem = hasCardNumber(name) ? CARD_NUMBER_PROBLEM : cardDataProblem(inner)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** Whether every text and name inside can be stored and filtered on both databases. */
function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, inner]) => isStorable(name) && isStorableJson(inner))
}

/**
 * Whether all names are free of control characters. Names are shown beside their values. There, control
 * characters could draw on a terminal or reverse the text that follows.
 */
function hasPlainNames(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(
    ([name, inner]) => !/[\p{Cc}\p{Bidi_Control}]/u.test(name) && hasPlainNames(inner),
  )
}

/**
 * Whether all numbers are finite, and all whole numbers are exact as doubles; others would come back
 * changed.
 */
function hasExactNumbers(value: unknown): boolean {
  if (typeof value === 'number')
    return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
  return typeof value !== 'object' || value === null || Object.values(value).every(hasExactNumbers)
}
