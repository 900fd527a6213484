/**
 * Pure functions of browsers that format and check the numbers of cards and accounts; plain JavaScript. The service
 * refuses everything that these functions refuse, and checks everything else again.
 */
export const FIELD_CHECKS = String.raw`
/** Leading digits of the brands, each with the groups in which its numbers are printed. */
const BRANDS = [
  { name: 'American Express', leads: /^3[47]/, groups: [4, 6, 5] },
  { name: 'Visa', leads: /^4/, groups: [4, 4, 4, 4, 3] },
  { name: 'Mastercard', leads: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, groups: [4, 4, 4, 4] },
  { name: 'Discover', leads: /^(6011|64[4-9]|65|62212[6-9]|6221[3-9]|622[2-8]|6229[01]|62292[0-5])/, groups: [4, 4, 4, 4] },
]

/** The digits of a text that has nothing else but blanks and dashes; undefined for any other text. */
function digitsOf(text) {
  return /^[\d\s-]*$/.test(text) ? text.replace(/\D/g, '') : undefined
}

/** The brand of a card number that may be incomplete; undefined if the digits do not decide it. */
function brandOf(text) {
  const digits = digitsOf(text) ?? ''
  return BRANDS.find(({ leads }) => leads.test(digits))?.name
}

/** A card number in the groups of its brand; any other text unchanged. */
function groupDigits(text) {
  const digits = digitsOf(text)
  if (digits === undefined) return text
  const groups = BRANDS.find(({ leads }) => leads.test(digits))?.groups ?? [4, 4, 4, 4, 3]
  let at = 0
  const parts = groups.map((length) => digits.slice(at, (at += length)))
  return [...parts, digits.slice(at)].filter((part) => part !== '').join(' ')
}

/** An expiry with a slash after its month, once the month is known; any other text unchanged. */
function slashExpiry(text) {
  if (/^[2-9]$/.test(text)) return '0' + text + '/'
  const [, month, rest] = /^(0[1-9]|1[0-2])\/{0,2}(\d{0,4})$/.exec(text) ?? []
  return month === undefined ? text : month + '/' + rest
}

/** Whether digits have the check digit of a card number (Luhn), or are a test number that declines. */
function isCardNumber(digits) {
  if (/^41111111111199\d\d$/.test(digits)) return true
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return digits.length >= 12 && digits.length <= 19 && sum % 10 === 0
}

/** Whether nine digits have the checksum of a bank's routing number (ABA). */
function isRoutingNumber(digits) {
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * [3, 7, 1][index % 3], 0)
  return digits.length === 9 && sum > 0 && sum % 10 === 0
}

/** Month and year of an expiry, as in { month: 4, year: 2039 }; undefined for any other text. */
function expiryOf(text) {
  const [, month, year] = /^\s*(\d{1,2})\s*(?:[/-]\s*)?(?:20)?(\d{2})\s*$/.exec(text) ?? []
  const number = Number(month)
  return number >= 1 && number <= 12 ? { month: number, year: 2000 + Number(year) } : undefined
}

/** Whether the last day of a card's month is over everywhere on earth. */
function isPast({ month, year }, milliseconds) {
  return milliseconds - 12 * 3600000 >= Date.UTC(year, month, 1)
}

/** Problem of the value of a field: 'wrong', 'past', or undefined for none. An empty value has none here. */
function problemOf(name, text, milliseconds) {
  if (text.trim() === '') return undefined
  const digits = digitsOf(text)
  const is = (good) => (digits !== undefined && good(digits) ? undefined : 'wrong')
  switch (name) {
    case 'card_number':
      return is(isCardNumber)
    case 'card_code':
      return is(({ length }) => length === 3 || length === 4)
    case 'routing_number':
      return is(isRoutingNumber)
    case 'account_number':
      return is(({ length }) => length > 0)
    case 'amount':
      return /^\s*(\d+|\d{1,3}(,\d{3})+)?(\.\d*)?\s*$/.test(text) && /[1-9]/.test(text) ? undefined : 'wrong'
    case 'expiry': {
      const expiry = expiryOf(text)
      if (expiry === undefined) return 'wrong'
      return isPast(expiry, milliseconds) ? 'past' : undefined
    }
    default:
      return undefined
  }
}
`
