import { datetimeOf, millisecondsOf } from './datetime.js'

/** Values of `card.card_brand`. Spec: "Payment method". */
export type CardBrand = 'american_express' | 'visa' | 'discover' | 'mastercard' | 'opticard'
/** Values of `card.card_type`. */
export type CardType = 'credit' | 'debit' | 'gift' | 'prepaid'

interface Range<T> {
  /** First and last leading digits, of equal length. */
  readonly from: string
  readonly to: string
  readonly is: T
}

/**
 * Leading digits of the card networks, as published. The range of opticard is a private one, chosen for
 * this service.
 */
const BRANDS: readonly Range<CardBrand>[] = [
  { from: '34', to: '34', is: 'american_express' },
  { from: '37', to: '37', is: 'american_express' },
  { from: '4', to: '4', is: 'visa' },
  { from: '51', to: '55', is: 'mastercard' },
  { from: '2221', to: '2720', is: 'mastercard' },
  { from: '6011', to: '6011', is: 'discover' },
  { from: '622126', to: '622925', is: 'discover' },
  { from: '644', to: '659', is: 'discover' },
  { from: '6391', to: '6391', is: 'opticard' },
]

/**
 * Leading digits of cards that are not credit cards. The networks' own tables are not public; these are
 * well-known test ranges. Visa debit is 4000 05…, Mastercard debit 5200 82…, prepaid 5105 10…; an opticard
 * is a gift card.
 */
const TYPES: readonly Range<CardType>[] = [
  { from: '400005', to: '400005', is: 'debit' },
  { from: '520082', to: '520082', is: 'debit' },
  { from: '510510', to: '510510', is: 'prepaid' },
  { from: '6391', to: '6391', is: 'gift' },
]

/** Card network by the leading digits of a number; undefined if the spec names no such network. */
export function cardBrand(digits: string): CardBrand | undefined {
  return lookUp(BRANDS, digits)
}

/** Type of a card by its leading digits: credit, unless the digits are known for another type. */
export function cardType(digits: string): CardType {
  return lookUp(TYPES, digits) ?? 'credit'
}

function lookUp<T>(ranges: readonly Range<T>[], digits: string): T | undefined {
  return ranges.find(({ from, to }) => {
    const leading = digits.slice(0, from.length)
    return leading.length === from.length && leading >= from && leading <= to
  })?.is
}

/**
 * Whether a card has expired: its month must have ended everywhere on earth, last in UTC−12. `expiry` is
 * `MM/YY` of this century; `now` is a datetime.
 */
export function isExpired(expiry: string, now: string): boolean {
  const month = `20${expiry.slice(3)}-${expiry.slice(0, 2)}`
  if (month >= now.slice(0, 7)) return false
  return month < datetimeOf(millisecondsOf(now) - LAST_ZONE).slice(0, 7)
}

/** Milliseconds by which the last time zone on earth is behind UTC. */
const LAST_ZONE = 12 * 3_600_000
