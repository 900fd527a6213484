import { boolean, custom, integer, option, string } from '@oclif/core/flags'
import type { DateOrder } from '../../terminal/input/date-order.js'
import { readDelimiterText } from '../../terminal/input/delimiter-text.js'
import type { CsvStyle } from '../../terminal/output/csv.js'

/** The flags of every list, besides the flags for dates. */
export const listFlags = {
  where: string({
    char: 'w',
    multiple: true,
    summary:
      "filter, as in 'amount=>100' or 'status=authorized|processed'; several must all hold; --help-all lists attributes",
    helpValue: '<filter>',
  }),
  all: boolean({ summary: 'all objects that match, page by page', exclusive: ['limit'] }),
  limit: integer({ min: 1, summary: 'maximum number of objects (100 by default)', helpValue: '<number>' }),
  offset: integer({ min: 0, summary: 'number of objects to skip from the start', helpValue: '<number>' }),
  after: string({
    summary:
      'continue where another list ended, with the value that it printed: an id, or a place in the order',
    helpValue: '<place>',
    exclusive: ['offset'],
  }),
  'order-by': string({
    summary: 'attribute to order by; -amount or desc(amount) for descending order',
    helpValue: '<name>',
  }),
  count: boolean({ summary: 'the number of objects that match, instead of the objects' }),
  sum: string({
    summary: 'the sum of an attribute, instead of the objects; separate several by commas',
    helpValue: '<name>',
  }),
  'group-by': string({
    summary: 'groups by the value of an attribute, with --count, --sum or functions in --fields',
    helpValue: '<name>',
  }),
  'output-file': string({
    summary:
      'write all objects that match to a file, completely or not at all; .csv, .json and .ndjson set the format',
    helpValue: '<file>',
  }),
  delimiter: custom<string>({ parse: async (text) => readDelimiterText(text) })({
    summary: 'character between cells of CSV, such as ; or tab; a comma unless given',
    helpValue: '<character>',
  }),
  bom: boolean({ summary: 'begin CSV with the byte order mark by which spreadsheets recognize UTF-8' }),
  dates: option({
    options: ['dmy', 'mdy'] as const,
    summary: 'dates of CSV as 31/01/2030 (dmy) or 01/31/2030 (mdy) instead of ISO',
  })(),
}

/** The style of CSV that the flags give; undefined if they give none. */
export function csvStyleOf({ delimiter, bom, dates }: GivenList): CsvStyle | undefined {
  return delimiter !== undefined || bom || dates ? { delimiter, hasMark: bom, dates } : undefined
}

/** The values of the flags above. */
export interface GivenList {
  readonly where?: readonly string[] | undefined
  readonly all: boolean
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly after?: string | undefined
  readonly 'order-by'?: string | undefined
  readonly count: boolean
  readonly sum?: string | undefined
  readonly 'group-by'?: string | undefined
  readonly 'output-file'?: string | undefined
  readonly fields?: string | undefined
  readonly columns?: string | undefined
  readonly delimiter?: string | undefined
  readonly bom: boolean
  readonly dates?: DateOrder | undefined
}
