/**
 * Pure functions of browsers that format and check the numbers of cards and accounts. The service refuses everything that
 * these functions refuse, and checks everything else again.
 */
import { type CardBrand, cardBrand } from '../../../schema/card-brand.js'
import { isCardNumber, isRoutingNumber } from '../../../schema/checks.js'

/** The brands that are shown, each with the groups in which its numbers are printed. */
const BRANDS: Partial<Record<CardBrand, { readonly name: string; readonly groups: readonly number[] }>> = {
  american_express: { name: 'American Express', groups: [4, 6, 5] },
  visa: { name: 'Visa', groups: [4, 4, 4, 4, 3] },
  mastercard: { name: 'Mastercard', groups: [4, 4, 4, 4] },
  discover: { name: 'Discover', groups: [4, 4, 4, 4] },
}

/** The digits of a text that has only digits, blanks and dashes; undefined for any other text. */
function digitsOf(text: string): string | undefined {
  return /^[\d\s-]*$/.test(text) ? text.replace(/\D/g, '') : undefined
}

function shownBrand(digits: string) {
  const brand = cardBrand(digits)
  return brand && BRANDS[brand]
}

/** The brand of a card number that may be incomplete; undefined if the digits do not decide it. */
export function brandOf(text: string): string | undefined {
  return shownBrand(digitsOf(text) ?? '')?.name
}

/** A card number in the groups of its brand; any other text unchanged. */
export function groupDigits(text: string): string {
  const digits = digitsOf(text)
  if (digits === undefined) return text
  const groups = shownBrand(digits)?.groups ?? [4, 4, 4, 4, 3]
  let at = 0
  const parts = groups.map((length) => {
    at += length
    return digits.slice(at - length, at)
  })
  return [...parts, digits.slice(at)].filter((part) => part !== '').join(' ')
}

/** An expiry with a slash after its month, once the month is known; any other text unchanged. */
export function slashExpiry(text: string): string {
  if (/^[2-9]$/.test(text)) return `0${text}/`
  const [, month, rest] = /^(0[1-9]|1[0-2])\/{0,2}(\d{0,4})$/.exec(text) ?? []
  return month === undefined ? text : `${month}/${rest}`
}

/** Whether digits have the length of a card number, too. */
function isWholeCardNumber(digits: string): boolean {
  return digits.length >= 12 && digits.length <= 19 && isCardNumber(digits)
}

/** Month and year of an expiry, as in `{ month: 4, year: 2039 }`; undefined for any other text. */
function expiryOf(text: string): { readonly month: number; readonly year: number } | undefined {
  const [, month, year] = /^\s*(\d{1,2})\s*(?:[/-]\s*)?(?:20)?(\d{2})\s*$/.exec(text) ?? []
  const number = Number(month)
  return number >= 1 && number <= 12 ? { month: number, year: 2000 + Number(year) } : undefined
}

/** Problem of an expiry. The last day of a card's month must be over everywhere on earth. */
function expiryProblem(text: string, milliseconds: number): 'wrong' | 'past' | undefined {
  const expiry = expiryOf(text)
  if (expiry === undefined) return 'wrong'
  return milliseconds - 12 * 3600000 >= Date.UTC(expiry.year, expiry.month, 1) ? 'past' : undefined
}

/** Problem of the value of a field: 'wrong', 'past', or undefined for none. An empty value has none here. */
export function problemOf(name: string, text: string, milliseconds: number): 'wrong' | 'past' | undefined {
  if (text.trim() === '') return undefined
  if (name === 'expiry') return expiryProblem(text, milliseconds)
  return isRight(name, text, digitsOf(text)) ? undefined : 'wrong'
}

function isRight(name: string, text: string, digits: string | undefined): boolean {
  switch (name) {
    case 'card_number':
      return digits !== undefined && isWholeCardNumber(digits)
    case 'card_code':
      return digits !== undefined && /^\d{3,4}$/.test(digits)
    case 'routing_number':
      return digits !== undefined && isRoutingNumber(digits)
    case 'account_number':
      return digits !== undefined && digits !== ''
    case 'amount':
      return /^\s*(\d+|\d{1,3}(,\d{3})+)?(\.\d*)?\s*$/.test(text) && /[1-9]/.test(text)
    default:
      return true
  }
}
