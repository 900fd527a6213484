import { TRIGGERS } from '../../../resources/trigger.js'
import { datetime, money, ref } from '../../../schema/field.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import { cellOf } from './cell.js'
import { cleanText } from './clean.js'
import type { Look } from './look.js'
import { cutTo, filled, widthOf } from './width.js'

/** Width of a terminal below which lines omit the year and shorten ids. */
const WIDE = 100
/** Columns of the largest usual amount, with its commas. */
const AMOUNT = '$99,999,999.99'.length
/** Columns of the longest usual status. */
const STATUS = 10
const TRIGGER = Math.max(...TRIGGERS.map((trigger) => (trigger.includes(':') ? 0 : trigger.length)))
/** Smallest number of columns in which a name is useful. */
const MIN_NAME = 4
const GAP = '  '

/** An event as one line of aligned columns: time, trigger, status, amount, object, name. */
export function eventLine(event: JsonObject, look: Look): string {
  const isWide = look.width === undefined || look.width >= WIDE
  const id = cellOf(event.triggered_on_id, ref('transaction'), look)
  const line = [
    timeOf(event, look, isWide),
    filled(textOf(event.trigger), TRIGGER, 'left'),
    filled(textOf(event.triggered_on_value), STATUS, 'left'),
    filled(cellOf(event.amount, money(), look).text, AMOUNT, 'right'),
    isWide ? id.text : (id.short ?? id.text),
  ].join(GAP)
  const name = textOf(event.name)
  const room = (look.width ?? Number.POSITIVE_INFINITY) - widthOf(line) - GAP.length
  return name === '' || room < MIN_NAME ? line : `${line}${GAP}${cutTo(name, room)}`
}

/** Time of an event without its zone, which is the same in all lines. */
function timeOf({ triggered_at: at }: JsonObject, look: Look, isWide: boolean): string {
  const { text } = cellOf(at, datetime(), look)
  return text.slice(isWide ? 0 : '2031-'.length, '2031-01-31 12:00:00'.length)
}

function textOf(value: Json | undefined): string {
  return cleanText(typeof value === 'string' ? value : '')
}
