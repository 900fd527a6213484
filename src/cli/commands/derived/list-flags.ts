import { boolean, integer, string } from '@oclif/core/flags'

/** The flags of every list, besides those for dates. */
export const listFlags = {
  where: string({
    char: 'w',
    multiple: true,
    summary: "filter, as in 'amount=>100' or 'status=authorized|processed'; several must all hold",
    helpValue: '<filter>',
  }),
  all: boolean({ summary: 'all that match, page by page', exclusive: ['limit'] }),
  limit: integer({ min: 1, summary: 'at most so many (100 by default)', helpValue: '<number>' }),
  offset: integer({ min: 0, summary: 'skip so many from the start', helpValue: '<number>' }),
  after: string({
    summary: 'continue after the object with that id, where another list ended',
    helpValue: '<id>',
    exclusive: ['offset'],
  }),
  'order-by': string({
    summary: 'attribute to order by; -amount or desc(amount) for descending order',
    helpValue: '<name>',
  }),
  count: boolean({ summary: 'how many match, instead of the objects' }),
  sum: string({
    summary: 'the sum of an attribute, instead of the objects; several with commas',
    helpValue: '<name>',
  }),
  'group-by': string({
    summary: 'groups by the value of an attribute, with --count, --sum or functions in --fields',
    helpValue: '<name>',
  }),
  'output-file': string({
    summary:
      'write all that match to a file, completely or not at all; .csv, .json and .ndjson set the format',
    helpValue: '<file>',
  }),
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
}
