import type { Fields } from '../../../schema/field.js'
import { type Json, type JsonObject, parsedJson } from '../../../schema/json.js'
import type { Registry } from '../../../schema/registry.js'
import { attributesOf, type Resource } from '../../../schema/resource.js'
import { isObject } from '../input/body.js'
import { type DateOrder, readOrderedDate } from '../input/date-order.js'
import { DateOrders } from './date-orders.js'
import type { RawRow } from './raw-rows.js'
import { refuseFile } from './refusal.js'
import { type Renaming, renamed } from './renaming.js'
import type { GivenNotation } from './survey-file.js'

/** Replaces the dates in a line by dates in ISO form. Throws a `UsageError` for a day that does not exist. */
export type LineDates = (line: JsonObject) => void

/**
 * Matches lines that may contain a date such as 31/12/2030. A backslash matches, too, because an escape
 * sequence may hide a date.
 */
const DATE = /\\|"\s*\d{1,2}[/.-]\d{1,2}[/.-]\d{4}/

interface SurveyedLines {
  readonly registry: Registry
  /** The kind of object that a line describes. */
  readonly resource: Resource
  readonly renaming: Renaming
  readonly given: GivenNotation
}

/**
 * Surveys all lines of JSON and returns a reader of their dates, nested ones included. Each attribute has
 * one order of day and month in all lines. Throws a `Refusal` for attributes that allow two readings.
 */
export async function lineDatesOf(
  pages: AsyncIterable<readonly RawRow[]>,
  { registry, resource, renaming, given }: SurveyedLines,
): Promise<LineDates> {
  const fields = attributesOf(resource)
  const seen = new Map<string, DateOrders>()
  for await (const page of pages)
    for (const { row, cells } of page)
      for (const { attribute, text } of datesIn(objectIn(cells[0] ?? '', renaming), { registry, fields })) {
        const orders = seen.get(attribute) ?? new DateOrders()
        seen.set(attribute, orders)
        orders.add({ header: attribute, row, text })
      }
  const problems: JsonObject = {}
  const orders = new Map<string, DateOrder>()
  for (const [attribute, found] of seen) orders.set(attribute, given.dates ?? found.decide(problems))
  if (Object.keys(problems).length > 0) throw refuseFile(problems)
  return (line) => {
    for (const { holder, name, attribute, kind, text } of datesIn(line, { registry, fields }))
      holder[name] = readOrderedDate(text, kind, orders.get(attribute) ?? 'mdy')
  }
}

/**
 * The object in a line, which may contain dates. The object is empty for a line that cannot be read. Such a line fails
 * when it is sent.
 */
function objectIn(line: string, renaming: Renaming): Json {
  const value = DATE.test(line) ? parsedJson(line) : undefined
  return isObject(value) ? renamed(value, renaming) : {}
}

/** A date in a line, with the object that has it. */
interface LineDate {
  readonly holder: JsonObject
  readonly name: string
  /** Path of the attribute, without indices of lists. */
  readonly attribute: string
  readonly kind: 'date' | 'datetime'
  readonly text: string
}

interface Declared {
  readonly registry: Registry
  readonly fields: Fields
  /** Path of the enclosing attributes, with a dot at its end. */
  readonly above?: string
}

/** All dates of a value by its declaration, those of nested objects and lists included. */
function* datesIn(value: Json, { registry, fields, above = '' }: Declared): Iterable<LineDate> {
  if (!isObject(value)) return
  for (const [name, inner] of Object.entries(value)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const attribute = above + name
    switch (field?.kind) {
      case 'date':
      case 'datetime':
        if (typeof inner === 'string')
          yield { holder: value, name, attribute, kind: field.kind, text: inner.trim() }
        break
      case 'group':
      case 'rows':
        yield* datesInEach(inner, { registry, fields: field.fields, above: `${attribute}.` })
        break
      case 'one':
      case 'many': {
        const target = registry.find(field.to)
        if (target)
          yield* datesInEach(inner, { registry, fields: attributesOf(target), above: `${attribute}.` })
        break
      }
      default:
    }
  }
}

function* datesInEach(value: Json, declared: Declared): Iterable<LineDate> {
  for (const item of Array.isArray(value) ? value : [value]) yield* datesIn(item, declared)
}
