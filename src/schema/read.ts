import { isCardNumber, isRoutingNumber } from './checks.js'
import type { Stored } from './columns.js'
import { isDataUrl, writeDataUrl } from './data-url.js'
import type {
  DigitsField,
  IntegerField,
  MoneyField,
  NumberField,
  OneOfField,
  SecretField,
  TextField,
  ValueField,
} from './field.js'
import { formatMoney, LARGEST, parseMoney, parseScaled } from './money.js'
import { NO_ID, Problem } from './problem.js'
import { readDate } from './read-date.js'

/** Number of decimals that a `number` stores; four decimals make a percentage parts per million. */
export const NUMBER_DECIMALS = 4

/** Maximum length of a text in characters, unless its field sets another one. */
export const LONGEST_TEXT = 1000

/** Kinds of fields with a single value; JSON and lists of plain objects are read elsewhere. */
export type ScalarField = Exclude<ValueField, { kind: 'json' | 'rows' }>

/**
 * Reads one value as a client writes it: JSON, form text or a filter's literal. Returns its stored form, or
 * a `Problem` if it is invalid. A secret is returned as its plain digits. `input` must not be empty.
 */
export function readValue(field: ScalarField, input: unknown): Stored | Problem {
  switch (field.kind) {
    case 'text':
      return readText(field, input)
    case 'email':
      return matching(
        input,
        /^[^\s\p{Cc}@<>()",;:\\[\]]{1,64}@[^\s\p{Cc}@<>()",;:\\[\]]+\.[^\s\p{Cc}@.]{2,}$/u,
        'Must be valid email',
        254,
      )
    case 'phone':
      return matching(stripped(input, /[\s().-]/g), /^\+?\d{7,15}$/, 'Must be valid phone number')
    case 'postal_code':
      return matching(
        typeof input === 'number' ? String(input) : input,
        /^[A-Za-z0-9][A-Za-z0-9 -]{2,9}$/,
        'Must be valid postal code',
      )
    case 'digits':
    case 'secret':
      return readDigits(field, input)
    case 'expiry':
      return readExpiry(input)
    case 'file':
      return readFile(input)
    case 'money':
      return readMoney(field, input)
    case 'number':
      return readNumber(field, input)
    case 'integer':
      return readInteger(field, input)
    case 'flag':
      return readFlag(input)
    case 'one_of':
      return readChoice(field, input)
    case 'ref':
    case 'id':
      return matching(input, /^[\w-]{1,64}$/, NO_ID)
    case 'date':
      return readDate('date', input)
    case 'datetime':
      return readDate('datetime', input, field.isDay)
  }
}

/** Whether both databases can store a text: it must contain neither NUL nor half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text)
}

function readText({ max = LONGEST_TEXT }: TextField, input: unknown): Stored | Problem {
  if (typeof input !== 'string' || /[\0\p{Surrogate}]/u.test(input))
    return new Problem('Must be valid string')
  return input.length > max ? new Problem(`Must be at most ${max} characters`) : input
}

function matching(input: unknown, pattern: RegExp, problem: string, max = 64): Stored | Problem {
  if (typeof input !== 'string' || input.length > max) return new Problem(problem)
  const trimmed = input.trim()
  return pattern.test(trimmed) ? trimmed : new Problem(problem)
}

/**
 * File as a `data:` URL; its content is checked by the resource's rule. A Buffer in JSON, as JavaScript
 * clients send it, is converted.
 */
function readFile(input: unknown): Stored | Problem {
  if (typeof input === 'string' && isDataUrl(input)) return input
  const bytes = bytesOf(input)
  return bytes
    ? writeDataUrl({ bytes })
    : new Problem('Must be a file: a part of a multipart form or a data: URL')
}

function bytesOf(input: unknown): Buffer | undefined {
  if (typeof input !== 'object' || input === null || !('type' in input) || !('data' in input))
    return undefined
  const { type, data } = input
  if (type !== 'Buffer' || !Array.isArray(data)) return undefined
  return data.every((byte) => Number.isInteger(byte) && byte >= 0 && byte < 256)
    ? Buffer.from(data)
    : undefined
}

function stripped(input: unknown, dropped: RegExp): unknown {
  if (typeof input === 'number' && Number.isSafeInteger(input)) return String(input)
  return typeof input === 'string' && input.length <= 64 ? input.replace(dropped, '') : input
}

function readDigits(field: DigitsField | SecretField, input: unknown): Stored | Problem {
  const { min = 1, max = 64 } = field
  const digits = stripped(input, /[\s-]/g)
  if (typeof digits !== 'string' || !/^\d+$/.test(digits)) return new Problem('Must be valid number')
  if (digits.length < min || digits.length > max)
    return new Problem(min === max ? `Must have ${min} digits` : `Must have ${min} to ${max} digits`)
  if (field.kind === 'secret' && field.check === 'card' && !isCardNumber(digits))
    return new Problem('Must be valid card number')
  if (field.kind === 'secret' && field.check === 'routing' && !isRoutingNumber(digits))
    return new Problem('Must be valid routing number')
  return digits
}

function readExpiry(input: unknown): Stored | Problem {
  const match =
    typeof input === 'string' ? /^\s*(\d{1,2})\s*(?:[/-]\s*)?(?:20)?(\d{2})\s*$/.exec(input) : null
  const month = Number(match?.[1])
  if (!match || month < 1 || month > 12) return new Problem('Must be valid expiry, MM/YY')
  return `${String(month).padStart(2, '0')}/${match[2]}`
}

function readMoney({ sign }: MoneyField, input: unknown): Stored | Problem {
  const minor = numeric(input) ? parseMoney(input) : undefined
  if (minor === undefined) return new Problem('Must be valid number')
  if (Math.abs(minor) > LARGEST) return new Problem(`Must be at most ${formatMoney(LARGEST)}`)
  if (sign === 'positive' && minor <= 0) return new Problem('Must be greater than 0')
  if (sign === undefined && minor < 0) return new Problem('Must not be negative')
  return minor
}

function readNumber({ min, max }: NumberField, input: unknown): Stored | Problem {
  const scaled = numeric(input) ? parseScaled(input, NUMBER_DECIMALS) : undefined
  if (scaled === undefined) return new Problem('Must be valid number')
  return inRange(scaled, scaled / 10 ** NUMBER_DECIMALS, min, max)
}

function readInteger({ min, max }: IntegerField, input: unknown): Stored | Problem {
  const whole = numeric(input) && /^\s*[+-]?\d+\s*$/.test(String(input)) ? Number(input) : Number.NaN
  return Number.isSafeInteger(whole) ? inRange(whole, whole, min, max) : new Problem('Must be valid integer')
}

function inRange(
  stored: number,
  shown: number,
  min: number | undefined,
  max: number | undefined,
): Stored | Problem {
  if (min !== undefined && shown < min) return new Problem(`Must be at least ${min}`)
  if (max !== undefined && shown > max) return new Problem(`Must be at most ${max}`)
  return stored
}

function numeric(input: unknown): input is string | number {
  return typeof input === 'number' || typeof input === 'string'
}

function readFlag(input: unknown): Stored | Problem {
  switch (typeof input === 'string' ? input.toLowerCase() : input) {
    case true:
    case 'true':
    case '1':
    case 1:
      return 1
    case false:
    case 'false':
    case '0':
    case 0:
      return 0
    default:
      return new Problem('Must be true or false')
  }
}

function readChoice({ values }: OneOfField, input: unknown): Stored | Problem {
  const found = values.find((value) => value === input)
  return found ?? new Problem(`Must be one of: ${values.join(', ')}`)
}
