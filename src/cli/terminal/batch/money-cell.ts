import { UsageError } from '../failure/failure.js'
import { readMoneyText } from '../input/typed-values.js'

/** Notation of amounts in a file. */
export interface MoneyStyle {
  /** The character before the cents. */
  readonly decimal: '.' | ','
  /** Whether an amount below zero is read as a positive one: bookkeepers write refunds this way. */
  readonly isSignless: boolean
}

/** An amount as programs write it, without the signs, blanks and currencies of bookkeepers. */
const USUAL = /^\d+(?:\.\d+)?$/

/**
 * Reads an amount as bookkeepers write it: `$1,234.50`, `1 234.50`, `(50.00)` for less than zero, and with `--decimal
 * ,` also `1.234,50`. Throws a `UsageError`.
 */
export function readMoneyCell(text: string, { decimal, isSignless }: MoneyStyle): number {
  if (decimal === '.' && USUAL.test(text)) return readMoneyText(text)
  const bare = withoutBlanks(text.trim().replace(/^USD\s*|\s*USD$/i, ''))
  const [, inner] = /^\((.*)\)$/.exec(bare) ?? []
  const signed = inner === undefined ? bare : `-${inner}`
  const amount = readMoneyText(decimal === ',' ? swapped(signed, text) : signed)
  return isSignless ? Math.abs(amount) : amount
}

/**
 * An amount without the blanks of bookkeepers: beside a sign, and between thousands. Any other blank between digits
 * stays, so that the amount is refused: `12 50` may mean 12.50.
 */
function withoutBlanks(text: string): string {
  return text
    .replace(/(?<!\d)\s+|\s+(?!\d)/g, '')
    .replace(/(?<![\d.,])\d{1,3}(?:[^\S\r\n]\d{3})+(?!\d)/, (thousands) => thousands.replaceAll(/\s/g, ''))
}

/** Whether an amount is written as less than zero. */
export function isBelowZero(text: string): boolean {
  return /^\s*(-|\(|[$]-|USD\s*-)/.test(text)
}

/** Rewrites `1.234,50` as `1,234.50`. Throws a `UsageError` for `1.50`, which might mean 1.50 or 150. */
function swapped(text: string, original: string): string {
  if (!/^[+-]?\$?(\d+|\d{1,3}(\.\d{3})+)?(,\d+)?$/.test(text))
    throw new UsageError(`Expected an amount such as 12,50, but received: ${original}`)
  return text.replaceAll('.', '').replace(',', '.')
}
