import { isIP } from 'node:net'
import { dateOf, datetimeOf } from '../../../schema/datetime.js'
import { parseExactJson } from '../../../schema/exact-json.js'
import type { FlagKind } from '../../../schema/flag-description.js'
import { isForbiddenName, type Json } from '../../../schema/json.js'
import { parseMoney, showMoney } from '../../../schema/money.js'
import { repeatedName } from '../../../schema/repeated-name.js'
import { UsageError } from '../failure/failure.js'
import { typedDate } from './date-order.js'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/**
 * Reads an amount: `12.5`, `12.50`, `1,250.00`, also with `$` in front. More decimals are refused, not rounded. Throws
 * a `UsageError`.
 */
export function readMoneyText(text: string): number {
  const plain = /^[+-]?\$?(\d+|[1-9]\d{0,2}(,\d{3})+)?(\.\d+)?$/.test(text.trim())
    ? text.trim().replaceAll(/[,$]/g, '')
    : ''
  const minor = plain === '' ? undefined : parseMoney(plain)
  if (minor === undefined) throw new UsageError(`Expected an amount such as 12.50, but received: ${text}`)
  if (/\.\d{3,}$/.test(plain))
    throw new UsageError(`Expected an amount with at most 2 decimals, but received: ${text}`)
  return showMoney(minor)
}

export function readNumberText(text: string): number {
  if (!/^\s*[+-]?(\d+\.?\d*|\.\d+)\s*$/.test(text))
    throw new UsageError(`Expected a number, but received: ${text}`)
  return Number(text)
}

export function readIntegerText(text: string): number {
  if (!/^\s*[+-]?\d{1,15}\s*$/.test(text))
    throw new UsageError(`Expected a whole number, but received: ${text}`)
  return Number(text)
}

/** A day relative to today, optionally with a time. */
const DAY_WORD =
  /^(?<day>today|yesterday|last week|last month|\d{1,5}[dw])(?:\s+(?<time>\d{1,2}:\d{2}(?::\d{2})?(?:\s*(?:Z|[+-]\d{2}:?\d{2}))?))?$/i

/**
 * Reads a date or moment relative to now, in UTC. Hours, days and weeks ago: `3h`, `2d`, `2w`. Days: `today`,
 * `yesterday`, `last week` (its Monday), `last month` (its first), also with a time: `yesterday 17:00`, `today 9:30
 * -05:00`. `now` is the moment itself. Any other text is returned for the core to validate, except dates such as
 * `02/03/2030`: throws a `UsageError`.
 */
export function readDateText(text: string, now: number): string {
  const word = text.trim().toLowerCase()
  const [, hours] = /^(\d{1,5})h$/.exec(word) ?? []
  if (word === 'now' || hours !== undefined) return datetimeOf(now - Number(hours ?? 0) * HOUR)
  const { day, time } = DAY_WORD.exec(word)?.groups ?? {}
  if (day === undefined) return typedDate(text)
  const date = dateOf(datetimeOf(dayOf(day, now)))
  return time === undefined ? date : `${date} ${time.toUpperCase()}`
}

/** Seconds of a unit of time. */
const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }

/** Reads a duration in seconds: `90s`, `30m`, `12h`, `7d` or `2w`. Throws a `UsageError`. */
export function readDurationText(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text.trim()) ?? []
  const seconds = UNITS[unit]
  if (count === undefined || seconds === undefined)
    throw new UsageError(`Expected a duration such as 12h or 7d, but received: ${text}`)
  return Number(count) * seconds
}

/** Whether a text is a date or moment relative to now. */
export function isDateWord(text: string): boolean {
  return /^(now|\d{1,5}h)$/i.test(text.trim()) || DAY_WORD.test(text.trim())
}

/** A moment in the day that a word names, in milliseconds since 1970. */
function dayOf(word: string, now: number): number {
  const today = new Date(now)
  switch (word) {
    case 'today':
      return now
    case 'yesterday':
      return now - DAY
    case 'last week':
      return now - (((today.getUTCDay() + 6) % 7) + 7) * DAY
    case 'last month':
      return Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1, 1)
    default:
      return now - Number.parseInt(word, 10) * (word.endsWith('w') ? 7 : 1) * DAY
  }
}

/** Reads trusted proxies, separated by commas: names such as `loopback`, addresses, networks such as `10.0.0.0/8`. */
export function readProxiesText(text: string): string {
  const proxies = text.split(',').map((proxy) => proxy.trim())
  const wrong = proxies.find((proxy) => !isProxy(proxy))
  if (wrong === undefined) return proxies.join(',')
  throw new UsageError(
    `Expected loopback, an address or a network such as 10.0.0.0/8, but received: ${wrong}`,
  )
}

function isProxy(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const version = address.includes('%') ? 0 : isIP(address)
  if (bits === undefined) return version > 0 || /^(loopback|linklocal|uniquelocal)$/.test(address)
  const isMask = /^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= (version === 4 ? 32 : 128)
  return version > 0 && isMask && more.length === 0
}

/**
 * Reads a value of a kind. Throws a `UsageError`; for invalid JSON it names `where`, the place of the text.
 */
export function readText(kind: FlagKind, text: string, where = 'what was typed'): Json {
  switch (kind) {
    case 'money':
      return readMoneyText(text)
    case 'number':
      return readNumberText(text)
    case 'integer':
      return readIntegerText(text)
    case 'json':
      return readJsonText(text, where)
    case 'date':
    case 'datetime':
      return typedDate(text)
    default:
      return text
  }
}

/**
 * Reads JSON with exact numbers; with `attribute`, only the numbers in that attribute are kept exactly. Throws a
 * `UsageError`.
 */
export function readJsonText(
  text: string,
  where: string,
  exactness: { readonly attribute?: string } = {},
): Json {
  const value = parsedJsonText(text, where, exactness)
  if (!isSendable(value, where, DEEPEST))
    throw new UsageError(`Expected numbers in ${where} that are kept exactly; write others as text`)
  const twice = repeatedName(text, namesIn(value))
  if (twice !== undefined) throw new UsageError(`An object in ${where} has the name ${twice} twice`)
  return value
}

/** Levels of JSON that `serve` accepts. */
const DEEPEST = 32

function parsedJsonText(text: string, where: string, exactness: { readonly attribute?: string }): unknown {
  try {
    return parseExactJson(text, exactness)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(`Expected JSON in ${where}: ${reason}`)
  }
}

function namesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inner = Object.values(value)
  return inner.reduce<number>((sum, each) => sum + namesIn(each), Array.isArray(value) ? 0 : inner.length)
}

/**
 * Whether every number can be sent: an infinite one would become null in JSON. Throws a `UsageError` for values that
 * `serve` never accepts: names that every object inherits, and too many levels.
 */
function isSendable(value: unknown, where: string, levels: number): value is Json {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  if (levels === 0) throw new UsageError(`Expected at most ${DEEPEST} levels in ${where}`)
  const forbidden = Array.isArray(value) ? undefined : Object.keys(value).find(isForbiddenName)
  if (forbidden !== undefined) throw new UsageError(`No attribute may be called ${forbidden}, as in ${where}`)
  return Object.values(value).every((inner) => isSendable(inner, where, levels - 1))
}
