import { CARD_NAME_PROBLEM, CARD_NUMBER_PROBLEM, hasCardNumber, isCardDataName } from './card-data.js'
import { isStorable } from './read.js'

/** Longest JSON text of an attribute. */
const LARGEST_JSON = 65_536

/** What is wrong with a JSON value that an attribute shall have; what is not kept may hold card data. */
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

/** Card data in a text, number or name inside: it would be kept, shown and sent to webhooks in clear. */
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

/** Whether every text and name inside can be kept and filtered on both databases. */
function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, inner]) => isStorable(name) && isStorableJson(inner))
}

/** Names are shown beside their values, where control characters would draw, or turn what follows. */
function hasPlainNames(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(
    ([name, inner]) => !/[\p{Cc}\p{Bidi_Control}]/u.test(name) && hasPlainNames(inner),
  )
}

/** Whole numbers beyond what a double counts one by one, and those beyond all doubles, would come back as others. */
function hasExactNumbers(value: unknown): boolean {
  if (typeof value === 'number')
    return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
  return typeof value !== 'object' || value === null || Object.values(value).every(hasExactNumbers)
}
