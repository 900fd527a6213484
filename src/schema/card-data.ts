import { cardBrand } from './card-brand.js'
import { isCardNumber } from './checks.js'

/** Messages for a text or a name that may not hold card data; they never repeat the data. */
export const CARD_NUMBER_PROBLEM = 'Must not hold a card number'
export const CARD_NAME_PROBLEM =
  'Must have no names of card data, as cvv, card_code or card_number: those are never kept in clear'

/** Number of digits in the shortest card number. */
const SHORTEST = 15

/**
 * Pattern of runs with at least `SHORTEST` digits, and at most three blanks, dashes or invisible characters
 * between two digits. It is compiled on first use, because Unicode classes take 5 % of a command's start.
 */
function digitRuns(): RegExp {
  compiled ??= new RegExp(String.raw`\d(?:[\s\p{Pd}\p{Cf}]{0,3}\d){${SHORTEST - 1},}`, 'gu')
  return compiled
}
let compiled: RegExp | undefined
const GROUP = /\d+/g

/**
 * Digits whose context shows that they are no card number. They are ids and keys of this service, UUIDs,
 * hexadecimal digests, telephone numbers with `+`, and decimals of a fraction.
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

/** Lengths of the groups in which card numbers are printed. */
const PRINTED: readonly (readonly number[])[] = [[4, 4, 4, 4], [4, 6, 5], [16], [15]]

/** Names of attributes that hold card data, in lower case and without separators. */
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
 * Whether a text contains a card number, judged by length, brand and check digit. All digits of a run are
 * checked (with blanks and dashes between them), and so are groups within a longer run, as printed on cards.
 * So a number followed by its expiry is found. Longer numbers without blanks are ignored, because one in ten
 * would contain a card number by chance.
 */
export function hasCardNumber(text: string): boolean {
  return text.length >= SHORTEST && maskCardNumbers(text) !== text
}

/**
 * Text with an `x` for each digit of a card number, and all other characters unchanged. Its running time
 * must grow only linearly with the length, because the texts come from strangers.
 */
export function maskCardNumbers(text: string): string {
  const plain = text.normalize('NFKC')
  if (plain.search(digitRuns()) === -1) return text
  const judged = plain.replace(OTHER_NUMBERS, (other) => '|'.repeat(other.length))
  const parts: string[] = []
  let end = 0
  for (const { 0: run, index } of judged.matchAll(digitRuns()))
    for (const { from, to } of cardGroups(run)) {
      // If the number overlaps the previous one, masking begins at the end of the previous one.
      const start = Math.max(end, index + from)
      if (index + to <= start) continue
      parts.push(plain.slice(end, start), plain.slice(start, index + to).replaceAll(/\d/g, 'x'))
      end = index + to
    }
  return end === 0 ? text : parts.join('') + plain.slice(end)
}

/** Whether an attribute's name is one for card data, in any spelling of its words. */
export function isCardDataName(name: string): boolean {
  return CARD_NAMES.has(name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
}

interface Place {
  readonly from: number
  readonly to: number
}

/** Places of card numbers in a run of digits. */
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

/** Whether digits are a card number of a known brand: 15 digits for American Express, 16 for all others. */
function isKnownCard(digits: string): boolean {
  if (digits.length !== 15 && digits.length !== 16) return false
  const brand = cardBrand(digits)
  return (
    digits.length === (brand === 'american_express' ? 15 : 16) && brand !== undefined && isCardNumber(digits)
  )
}
