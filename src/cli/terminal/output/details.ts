import type { Json, JsonObject } from '../../../schema/json.js'
import { isObject } from '../input/body.js'
import type { AnswerSchema } from '../input/shape.js'
import { cellOf, isForPeople } from './cell.js'
import { cleanText } from './clean.js'
import { paint } from './colour.js'
import { isWholeField } from './layout.js'
import type { Look } from './look.js'
import type { Rendering } from './rendering.js'
import { type Entry, sectionsOf } from './sections.js'
import { filled, widthOf } from './width.js'
import { wrappedBetween } from './wrap.js'

/** Maximum number of attributes that are shown without groups. */
const MAX_UNGROUPED = 8

/** Smallest number of columns to which a sentence is wrapped. */
const MIN_ROOM = 16

/**
 * An object as aligned lines: nested objects are indented blocks, null values are omitted. Attributes are in groups
 * with an empty line between, unless they are few or were requested.
 */
export function renderDetails(
  body: JsonObject,
  { shape, look, requested }: Pick<Rendering, 'shape' | 'look' | 'requested'>,
): string {
  const entries = shownOf(body)
  const isGrouped = shape.isGrouped && !requested && entries.length > MAX_UNGROUPED
  const sections = isGrouped ? sectionsOf(entries, shape) : [entries]
  const place = { shape, look, path: [], indent: 0, label: longestOf(entries, { shape, look, path: [] }) }
  return sections.map((section) => linesOf(section, place).join('\n')).join('\n\n')
}

interface Place {
  readonly shape: AnswerSchema
  readonly look: Look
  readonly path: readonly string[]
  /** Width of the widest label. */
  readonly label: number
  /** Columns before the label. */
  readonly indent: number
}

function linesOf(entries: readonly Entry[], place: Place): string[] {
  const money = widestMoney(entries, place)
  const { look } = place
  return entries.flatMap(([name, value]) => {
    const inner = { ...place, path: [...place.path, name], indent: place.indent + 2 }
    if (Array.isArray(value) && isBlock(value))
      return [heading(name, place), ...indented(listLines(value, inner))]
    if (isObject(value)) return [heading(name, place), ...indented(objectLines(value, inner))]
    const field = place.shape.field(inner.path)
    const { text, colour, align } = cellOf(value, field, place.look)
    const painted = paint(text, colour, place.look.colour)
    const whole = labelOf(name, place)
    const title = filled(whole, place.label + 2, 'left', paint(whole, 'dim', place.look.colour))
    const room = (look.width ?? Number.POSITIVE_INFINITY) - place.indent - place.label - 2
    const [first = '', ...more] = room < MIN_ROOM || isWholeField(field) ? [text] : wrappedBetween(text, room)
    if (more.length > 0)
      return [`${title}${first}`, ...more.map((line) => `${' '.repeat(place.label + 2)}${line}`)]
    return [`${title}${filled(text, money, align, painted)}`.trimEnd()]
  })
}

/** Width of the widest amount, to align amounts, if all entries are amounts; otherwise 0. */
function widestMoney(entries: readonly Entry[], { shape, look, path }: Place): number {
  const isMoney = entries.every(([name]) => shape.field([...path, name])?.kind === 'money')
  const widths = entries.map(([name, value]) =>
    widthOf(cellOf(value, shape.field([...path, name]), look).text),
  )
  return isMoney ? Math.max(0, ...widths) : 0
}

function objectLines(object: JsonObject, place: Place): string[] {
  const entries = shownOf(object)
  return linesOf(entries, { ...place, label: longestOf(entries, place) })
}

/** Lines of a list; each item begins with a dash. */
function listLines(values: readonly Json[], place: Place): string[] {
  const inner = { ...place, indent: place.indent + 2 }
  return values.flatMap((value) => {
    const lines = isObject(value) ? objectLines(value, inner) : [cellOf(value, undefined, place.look).text]
    return lines.map((line, index) => `${index === 0 ? '- ' : '  '}${line}`)
  })
}

function longestOf(entries: readonly Entry[], place: Pick<Place, 'shape' | 'look' | 'path'>): number {
  const labels = entries.filter(([, value]) => !isBlock(value)).map(([name]) => labelOf(name, place))
  return Math.max(0, ...labels.map(widthOf))
}

/** Label of an attribute. The label of a datetime has the time zone if the value has none. */
function labelOf(name: string, { shape, look, path }: Pick<Place, 'shape' | 'look' | 'path'>): string {
  return shape.field([...path, name])?.kind === 'datetime' && !isForPeople(look) ? `${name} (UTC)` : name
}

function heading(name: string, { look }: Place): string {
  return paint(name, 'bold', look.colour)
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`)
}

/** Entries to show. Names are cleaned like values, as names inside `attrs` come from payers. */
function shownOf(object: JsonObject): readonly Entry[] {
  const shown = Object.entries(object).filter(([name, value]) => isShown(name, value))
  return shown.map(([name, value]) => [cleanText(name), value])
}

function isShown(name: string, value: Json): boolean {
  if (name === 'object' || value === null) return false
  return !isObject(value) || Object.entries(value).some(([inner, nested]) => isShown(inner, nested))
}

function isBlock(value: Json): boolean {
  return isObject(value) || (Array.isArray(value) && value.some(isObject))
}
