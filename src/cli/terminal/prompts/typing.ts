import { cardBrand, isExpired } from '../../../schema/card-brand.js'
import { datetimeOf } from '../../../schema/datetime.js'
import { type Field, isValueField } from '../../../schema/field.js'
import type { FlagDescription } from '../../../schema/flag-description.js'
import { brandName, describeCard } from '../../../schema/method-description.js'
import { Problem } from '../../../schema/problem.js'
import { readValue } from '../../../schema/read.js'
import { UsageError } from '../failure/failure.js'
import { isDateWord, readText } from '../input/typed-values.js'
import { type Colour, paint } from '../output/colour.js'

/** Options for validating a value while it is typed. */
export interface Judging {
  /** Current time, in milliseconds since 1970. */
  readonly now: number
  /** Whether Enter alone omits the value. */
  readonly optional?: boolean
}

/** Reason why a typed value is refused; undefined if it is accepted. */
export function problemOf(
  { kind, field }: Pick<FlagDescription, 'kind' | 'field'>,
  typed: string,
  { now, optional = false }: Judging,
): string | undefined {
  if (typed.trim() === '') return optional ? undefined : 'Required'
  try {
    const value = readText(kind, typed)
    return field && !isReadLater(field, typed) ? fieldProblem(field, value, now) : undefined
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
}

/**
 * Function that shows a value while it is typed: for a card number its brand and stars, for an expiry its
 * validity. Undefined for other fields.
 */
export function shownWhileTyped(
  { field }: Pick<FlagDescription, 'field'>,
  { now, colour }: { readonly now: number; readonly colour: boolean },
): ((typed: string, state: { readonly isFinal: boolean }) => string) | undefined {
  if (field?.kind === 'secret' && field.check === 'card')
    return (typed, { isFinal }) =>
      isFinal ? paint(described(typed), 'cyan', colour) : maskedCard(typed, field, now, colour)
  if (field?.kind === 'expiry')
    return (typed, { isFinal }) => {
      const ended = typed.replaceAll(/\D/g, '').length >= 4
      if (isFinal) return paint(typed, 'cyan', colour)
      return !ended ? typed : judged(fieldProblem(field, typed, now), 'valid', typed, colour)
    }
  return undefined
}

/**
 * Brand and validity of a card number, then one star for each typed character, so that the cursor is at the
 * end.
 */
function maskedCard(typed: string, field: Field, now: number, colour: boolean): string {
  const digits = digitsOf(typed)
  const stars = '*'.repeat(typed.length)
  const brand = cardBrand(digits)
  const name = brandName(brand)
  if (digits.length < (brand === 'american_express' ? 15 : 16)) return brand ? `${name} ${stars}` : stars
  const problem = fieldProblem(field, typed, now) && `${name}, not a card number`
  return judged(problem, `${name}, valid`, stars, colour)
}

function judged(problem: string | undefined, good: string, shown: string, colour: boolean): string {
  const [text, shade]: [string, Colour] = problem === undefined ? [good, 'green'] : [problem, 'red']
  return `${paint(text, shade, colour)} ${shown}`
}

function fieldProblem(field: Field, value: unknown, now: number): string | undefined {
  if (!isValueField(field) || field.kind === 'json' || field.kind === 'rows') return undefined
  const read = readValue(field, value)
  if (read instanceof Problem) return read.message
  return field.kind === 'expiry' && isExpired(String(read), datetimeOf(now)) ? 'Expired' : undefined
}

/**
 * Whether a value can be validated only later. A word such as `today` depends on the environment's clock,
 * and a path is not the content of the file.
 */
function isReadLater({ kind }: Field, typed: string): boolean {
  return kind === 'file' || ((kind === 'date' || kind === 'datetime') && isDateWord(typed))
}

function described(typed: string): string {
  const digits = digitsOf(typed)
  return describeCard(digits, cardBrand(digits))
}

function digitsOf(typed: string): string {
  return typed.replaceAll(/\D/g, '')
}
