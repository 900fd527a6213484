import { UsageError } from '../failure/failure.js'
import { readIntegerText, readMoneyText, readNumberText } from '../input/typed-values.js'
import { type Mark, markIn } from './number-marks.js'

/** Notation of amounts in a file. */
export interface MoneyStyle {
  /** The character before the cents. */
  readonly decimal: Mark
  /** Whether an amount below zero is read as a positive amount: bookkeepers write refunds this way. */
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
  const plain = decimal === ',' ? swapped(signed, text, 'an amount') : signed
  try {
    // Zeros beyond the cents do not change the amount.
    const amount = readMoneyText(plain.replace(/(\.\d\d)0+$/, '$1'))
    return isSignless ? Math.abs(amount) : amount
  } catch (error) {
    throw withOtherMark(error, text, decimal)
  }
}

/** Reads a number with blanks or separators between thousands: `1 234.5`, and with `--decimal ,` `1.234,5`. */
export function readNumberCell(text: string, kind: 'number' | 'integer', decimal: Mark): number {
  const bare = withoutBlanks(text.trim())
  const plain = decimal === ',' ? swapped(bare, text, 'a number') : withoutThousands(bare)
  try {
    return kind === 'number' ? readNumberText(plain) : readIntegerText(plain)
  } catch (error) {
    throw withOtherMark(error, text, decimal)
  }
}

function withoutThousands(text: string): string {
  return /^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text
}

/** Adds a hint to an error about a number: the value of `--decimal` with which the number could be read, if any. */
function withOtherMark(error: unknown, text: string, decimal: Mark): unknown {
  const mark = markIn(text)
  if (!(error instanceof UsageError) || mark === undefined || mark === decimal) return error
  return new UsageError(`${error.message}; --decimal ${decimal === '.' ? ',' : '.'} would read it`)
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
function swapped(text: string, original: string, what: string): string {
  if (!/^[+-]?\$?(\d+|[1-9]\d{0,2}(\.\d{3})+)?(,\d+)?$/.test(text))
    throw withOtherMark(
      new UsageError(`Expected ${what} such as 12,50, but received: ${original}`),
      original,
      ',',
    )
  return text.replaceAll('.', '').replace(',', '.')
}
