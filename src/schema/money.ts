/**
 * Money: whole minor units inside, decimal numbers at the edges. This is the only module that converts or
 * rounds; it rounds half away from zero. Only averages are rounded by the database, in the same way,
 * because groups are filtered and ordered by them (`engine/core/query/summary.ts`).
 */

/** Amount in minor units (cents): always a safe integer. */
export type Minor = number

/** Rate in parts per million: 2.9 % is 29,000. */
export type Ppm = number

/** Largest amount of the API: 99,999,999.99. */
export const LARGEST: Minor = 9_999_999_999

/** Currencies of processing accounts; all have the same number of decimals. */
export const CURRENCIES = ['USD'] as const

/** Currency of a processing account that names none, and of everything else. */
export const CURRENCY: (typeof CURRENCIES)[number] = 'USD'
const SIGN = '$'
const DECIMALS = 2

/** Quantity of 1; quantities are in ten-thousandths. */
export const ONE_PIECE = 10_000

const MILLION = 1_000_000n

/**
 * Reads a decimal number exactly, by its digits and not as a binary fraction: `1.005` with two decimals is
 * 101. Surplus decimals are rounded half away from zero. Undefined if it is not a finite decimal number, or
 * is too large to count in whole units.
 */
export function parseScaled(input: number | string, decimals: number): number | undefined {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/.exec(String(input).trim())
  if (!match) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  if (whole === '' && fraction === '') return undefined
  const digits = whole + fraction
  const shift = whole.length + Number(exponent) + decimals
  const kept = shift <= 0 ? '0' : digits.slice(0, shift).padEnd(shift, '0')
  const next = shift < 0 ? '0' : digits.charAt(shift)
  const value = Number(kept) + (next >= '5' ? 1 : 0)
  if (!Number.isSafeInteger(value)) return undefined
  return sign === '-' && value !== 0 ? -value : value
}

/** Decimal number on the wire for an integer of scaled units. */
export function showScaled(value: number, decimals: number): number {
  return value / 10 ** decimals
}

/** Minor units of an amount as clients write it; undefined if it is not an amount. */
export function parseMoney(input: number | string): Minor | undefined {
  return parseScaled(input, DECIMALS)
}

/** Minor units of an amount in an answer or a body; undefined if the value is not an amount. */
export function amountIn(value: unknown): Minor | undefined {
  return typeof value === 'number' || typeof value === 'string' ? parseMoney(value) : undefined
}

/** Decimal number on the wire: 2999 is 29.99. */
export function showMoney(minor: Minor): number {
  return showScaled(minor, DECIMALS)
}

/** Amount as text, always with its decimals: 123456 is `1234.56`. */
export function formatMoney(minor: Minor): string {
  const digits = String(Math.abs(minor)).padStart(DECIMALS + 1, '0')
  return `${minor < 0 ? '-' : ''}${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`
}

/** Amount as text with commas between thousands: 123456 is `1,234.56`. */
export function groupedMoney(minor: Minor): string {
  return formatMoney(minor).replace(/\B(?=(\d{3})+\.)/g, ',')
}

/** Amount as text with the sign of its currency: 123456 is `$1,234.56`. */
export function moneyWithCurrency(minor: Minor): string {
  return `${minor < 0 ? '-' : ''}${SIGN}${groupedMoney(Math.abs(minor))}`
}

/** `amount × rate`, rounded half away from zero. */
export function portion(amount: Minor, rate: Ppm): Minor {
  return divided(BigInt(amount) * BigInt(rate), MILLION)
}

/**
 * `amount × quantity`, with the quantity in ten-thousandths, rounded half away from zero. The result may
 * exceed the largest amount.
 */
export function times(amount: Minor, quantity: number): Minor {
  return divided(BigInt(amount) * BigInt(quantity), BigInt(ONE_PIECE))
}

function divided(product: bigint, by: bigint): Minor {
  const size = product < 0n ? -product : product
  const rounded = (size + by / 2n) / by
  return Number(product < 0n ? -rounded : rounded)
}
