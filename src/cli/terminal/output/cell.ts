import { localTime, machineZone } from '../../../platform/calendar/local-time.js'
import type { Field, IntegerField } from '../../../schema/field.js'
import type { Json } from '../../../schema/json.js'
import { formatMoney, moneyWithCurrency, parseMoney } from '../../../schema/money.js'
import { cleanText } from './clean.js'
import { type Colour, statusColour } from './colour.js'
import type { Look } from './look.js'

/** A value as text. */
export interface Cell {
  readonly text: string
  readonly align: 'left' | 'right'
  readonly colour?: Colour
  /** Text of the value in a table, if it differs from `text`. */
  readonly brief?: string
  /** Shortened text for narrow tables. */
  readonly short?: string
}

/**
 * Text of a field's value. On a terminal, amounts have their currency and commas, and datetimes are local with their
 * zone. In piped output, both are written as in the API.
 */
export function cellOf(value: Json | undefined, field: Field | undefined, look: Look): Cell {
  if (value === null || value === undefined) return { text: '', align: isNumeric(field) ? 'right' : 'left' }
  switch (field?.kind) {
    case 'money':
      return { text: isForPeople(look) ? moneyForPeople(value) : moneyText(value), align: 'right' }
    case 'integer':
      return { text: integerText(value, field, look), align: 'right' }
    case 'number':
      return { text: textOf(value), align: 'right' }
    case 'flag':
      return { text: value === true ? 'yes' : 'no', align: 'left' }
    case 'one_of':
    case 'alias':
    case 'derived':
      return coloured(textOf(value))
    case 'datetime':
      return momentCell(textOf(value), look)
    case 'id':
    case 'ref':
      return idCell(textOf(value))
    default:
      return { ...methodCell(wordOf(value)), align: typeof value === 'number' ? 'right' : 'left' }
  }
}

/** Cell of a payment method; shortened to `Visa …4242`, as the last digits distinguish methods. */
function methodCell(text: string): Pick<Cell, 'text' | 'short'> {
  const [, kind, end] = /^(.+) ending in (\d{4})$/.exec(text) ?? []
  return { text, ...(kind !== undefined && { short: `${kind} …${end}` }) }
}

export function isNumeric(field: Field | undefined): boolean {
  return field?.kind === 'money' || field?.kind === 'number' || field?.kind === 'integer'
}

/** Whether the output is for people, on a terminal. */
export function isForPeople({ width }: Look): boolean {
  return width !== undefined
}

function momentCell(text: string, { width, zone }: Look): Cell {
  const local = width === undefined ? undefined : localTime(text, zone ?? machineZone())
  if (!local) return { text, align: 'left' }
  const { date, time, zone: name } = local
  return {
    text: `${date} ${time} ${name}`,
    brief: `${date} ${time.slice(0, 5)} ${name}`,
    short: date,
    align: 'left',
  }
}

/** Cell of an id; shortened to `txn_…5jFK` for `txn_0Vbcf1Nl000s4VuV55jFK`. */
function idCell(text: string): Cell {
  const [, prefix, end] = /^((?:[a-z]+_)+)[0-9A-Za-z]+([0-9A-Za-z]{4})$/.exec(text) ?? []
  return { text, align: 'left', ...(prefix !== undefined && { short: `${prefix}…${end}` }) }
}

/** Text of a number: the declared words for zero, and for people a duration instead of seconds. */
function integerText(value: Json, { unit, zero }: IntegerField, look: Look): string {
  if (value === 0 && zero !== undefined) return zero
  return unit === 'seconds' && typeof value === 'number' && isForPeople(look)
    ? durationText(value)
    : textOf(value)
}

/** Text of a value without a declaration: words for booleans and empty lists. */
function wordOf(value: Json): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return Array.isArray(value) && value.length === 0 ? 'none' : textOf(value)
}

/** Units of durations, in seconds, longest first. */
const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const

/** A duration in its two longest units: `1 day 2 hours`. */
function durationText(seconds: number): string {
  let left = Math.abs(seconds)
  const parts = UNITS.flatMap(([size, name]) => {
    const count = Math.floor(left / size)
    left -= count * size
    return count === 0 ? [] : [`${count} ${name}${count === 1 ? '' : 's'}`]
  })
  return `${seconds < 0 ? '-' : ''}${parts.slice(0, 2).join(' ')}`
}

/** Text of a value without control characters, which could draw on the operator's terminal. */
function textOf(value: Json): string {
  return cleanText(typeof value === 'string' ? value : JSON.stringify(value))
}

/** Text of an amount in JSON, with its decimals. */
export function moneyText(value: Json): string {
  const minor = minorOf(value)
  return minor === undefined ? textOf(value) : formatMoney(minor)
}

/** Text of an amount for people: `$1,234.50` */
function moneyForPeople(value: Json): string {
  const minor = minorOf(value)
  return minor === undefined ? textOf(value) : moneyWithCurrency(minor)
}

function minorOf(value: Json): number | undefined {
  return typeof value === 'number' ? parseMoney(value) : undefined
}

function coloured(text: string): Cell {
  const colour = statusColour(text)
  return { text, align: 'left', ...(colour && { colour }) }
}
