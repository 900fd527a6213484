import { cardBrand } from './card-brand.js'
import { isCardNumber } from './checks.js'

/** What a text or a name may not hold is answered with, which never repeats it. */
export const CARD_NUMBER_PROBLEM = 'Must not hold a card number'
export const CARD_NAME_PROBLEM =
  'Must have no names of card data, as cvv, card_code or card_number: those are never kept in clear'

/** The digits of the shortest number. */
const SHORTEST = 15

/**
 * Runs of that many digits or more, with at most three blanks, dashes or invisible characters between two of them. It is
 * compiled for the first text that may hold one, as Unicode classes take 5 % of a command's start.
 */
function digitRuns(): RegExp {
  compiled ??= new RegExp(String.raw`\d(?:[\s\p{Pd}\p{Cf}]{0,3}\d){${SHORTEST - 1},}`, 'gu')
  return compiled
}
let compiled: RegExp | undefined
const GROUP = /\d+/g

/**
 * Digits that are no card number by what stands around them: ids and keys of this service, UUIDs, hexadecimal digests,
 * telephone numbers with `+`, and the decimals of a fraction.
 */
const OTHER_NUMBERS = new RegExp(
  [
    String.raw`\b(?:[a-z]+_)+[0-9A-Za-z]{22}(?:[0-9A-Za-z]{21})?\b`,
    String.raw`\b[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}\b`,
    String.raw`\b(?=\d{0,64}[A-Fa-f])[0-9A-Fa-f]{32,}\b`,
    String.raw`\+(?:[ ().-]?\d){7,15}(?![ ().-]?\d)`,
    String.raw`(?<=\d)\.\d{15,}`,
  ].join('|'),
  'g',
)

/** The groups in which card numbers are printed. */
const PRINTED: readonly (readonly number[])[] = [[4, 4, 4, 4], [4, 6, 5], [16], [15]]

/** Names of attributes that hold card data, in small letters and without what separates words. */
const CARD_NAMES = new Set([
  'cvv',
  'cvv2',
  'cvc',
  'cvc2',
  'csc',
  'cardcvv',
  'cardcvc',
  'cardcode',
  'securitycode',
  'cardsecuritycode',
  'cardverificationcode',
  'cardverificationvalue',
  'cardnumber',
  'cardno',
  'cardnum',
  'ccnumber',
  'ccnum',
  'creditcard',
  'creditcardnumber',
  'debitcardnumber',
  'primaryaccountnumber',
  'trackdata',
  'track1',
  'track2',
])

/**
 * Whether a text holds what is a card number by its length, its brand's range and its check digit: all digits of a run
 * (blanks and dashes between them), or within a longer run consecutive groups as cards print them, so that a number
 * followed by its expiry is found. A longer number without blanks is none: one in ten would hold one by chance.
 */
export function hasCardNumber(text: string): boolean {
  return text.length >= SHORTEST && maskCardNumbers(text) !== text
}

/**
 * A text with an `x` for each digit of a card number; the others as they are. Strangers send such texts: what it takes grows
 * with their length and no faster.
 */
export function maskCardNumbers(text: string): string {
  const plain = text.normalize('NFKC')
  if (plain.search(digitRuns()) === -1) return text
  const judged = plain.replace(OTHER_NUMBERS, (other) => '|'.repeat(other.length))
  const parts: string[] = []
  let end = 0
  for (const { 0: run, index } of judged.matchAll(digitRuns()))
    for (const { from, to } of cardGroups(run)) {
      // One that begins within the one before is masked from where that ends.
      const start = Math.max(end, index + from)
      if (index + to <= start) continue
      parts.push(plain.slice(end, start), plain.slice(start, index + to).replaceAll(/\d/g, 'x'))
      end = index + to
    }
  return end === 0 ? text : parts.join('') + plain.slice(end)
}

/** Whether an attribute's name is one of card data, however its words are written. */
export function isCardDataName(name: string): boolean {
  return CARD_NAMES.has(name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
}

interface Place {
  readonly from: number
  readonly to: number
}

/** Where in a run of digits card numbers stand. */
function cardGroups(run: string): readonly Place[] {
  const groups = [...run.matchAll(GROUP)].map(({ 0: digits, index }) => ({ digits, from: index }))
  const whole = groups.map(({ digits }) => digits).join('')
  if (isKnownCard(whole)) return [{ from: 0, to: run.length }]
  return groups.flatMap(({ from, digits: { length } }, first) =>
    PRINTED.flatMap((printed) => {
      if (printed[0] !== length) return []
      const some = groups.slice(first, first + printed.length)
      const last = some.at(-1)
      const isPrinted = printed.every((digits, at) => some[at]?.digits.length === digits)
      const isCard = isPrinted && isKnownCard(some.map(({ digits }) => digits).join(''))
      return last && isCard ? [{ from, to: last.from + last.digits.length }] : []
    }),
  )
}

/** American Express has 15 digits, every other brand 16. */
function isKnownCard(digits: string): boolean {
  if (digits.length !== 15 && digits.length !== 16) return false
  const brand = cardBrand(digits)
  return (
    digits.length === (brand === 'american_express' ? 15 : 16) && brand !== undefined && isCardNumber(digits)
  )
}
