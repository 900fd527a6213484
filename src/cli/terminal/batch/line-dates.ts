import type { FlagDescription } from '../../../schema/flag-description.js'
import { type JsonObject, parsedJson } from '../../../schema/json.js'
import { isObject, valueAt } from '../input/body.js'
import type { DateOrder } from '../input/date-order.js'
import type { Path } from '../input/shape.js'
import { DateOrders } from './date-orders.js'
import type { Renaming } from './file-columns.js'
import type { RawRow } from './raw-rows.js'
import { refuseFile } from './refusal.js'
import type { GivenNotation } from './survey-file.js'

/** An attribute for dates in lines of JSON, with the order of day and month in all lines. */
export interface LineDate {
  readonly path: readonly string[]
  readonly kind: 'date' | 'datetime'
  readonly order: DateOrder
}

/** A date with its year behind day and month. */
const DATE = /"\s*\d{1,2}[/.-]\d{1,2}[/.-]\d{4}/

interface SurveyedLines {
  readonly attributes: readonly FlagDescription[]
  readonly renaming: Renaming
  readonly given: GivenNotation
}

interface SeenDates extends Omit<LineDate, 'order'> {
  readonly seen: DateOrders
}

/** Attributes whose dates depend on an order. Throws a `Refusal` for those that allow two readings. */
export async function lineDatesOf(
  pages: AsyncIterable<readonly RawRow[]>,
  { attributes, renaming, given }: SurveyedLines,
): Promise<readonly LineDate[]> {
  const dates = attributes.flatMap(({ path, kind }): SeenDates[] =>
    kind === 'date' || kind === 'datetime' ? [{ path, kind, seen: new DateOrders() }] : [],
  )
  if (dates.length > 0) await noteDates(pages, dates, renaming)
  const problems: JsonObject = {}
  const found = dates.map(({ path, kind, seen }) => ({
    path,
    kind,
    order: given.dates ?? seen.decide(problems),
  }))
  if (Object.keys(problems).length > 0) throw refuseFile(problems)
  return found
}

/** Notes the dates of all lines that have some, under the names in the lines. */
async function noteDates(
  pages: AsyncIterable<readonly RawRow[]>,
  dates: readonly SeenDates[],
  renaming: Renaming,
): Promise<void> {
  const renamed = [...renaming]
  const named = dates.map(({ path, seen }) => {
    const [first = '', ...rest] = path
    const names = [...renamed.filter(([, attribute]) => attribute === first).map(([name]) => name), first]
    return { header: path.join('.'), paths: names.map((name) => [name, ...rest]), seen }
  })
  for await (const page of pages)
    for (const { row, cells } of page)
      for (const [index, text] of datesIn(cells[0] ?? '', named).entries())
        if (text !== undefined) named[index]?.seen.add({ header: named[index].header, row, text })
}

/** Texts of the attributes in a line; undefined where there is none. */
function datesIn(
  line: string,
  named: readonly { readonly paths: readonly Path[] }[],
): readonly (string | undefined)[] {
  const body = DATE.test(line) ? objectIn(line) : undefined
  if (!body) return []
  return named.map(({ paths }) =>
    paths
      .map((path) => valueAt(body, path))
      .find(isText)
      ?.trim(),
  )
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** The object in a line; undefined for a line that cannot be read, which fails by itself later. */
function objectIn(line: string): JsonObject | undefined {
  const value = parsedJson(line)
  return isObject(value) ? value : undefined
}
