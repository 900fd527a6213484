import { boolean, integer, string } from '@oclif/core/flags'

/** What every list can be asked, besides dates. */
export const listFlags = {
  where: string({
    char: 'w',
    multiple: true,
    summary: "filter, as in 'amount=>100' or 'status=authorized|processed'; several must all hold",
    helpValue: '<filter>',
  }),
  all: boolean({ summary: 'all that match, page by page', exclusive: ['limit'] }),
  limit: integer({ summary: 'at most so many (100 unless told)', helpValue: '<number>' }),
  offset: integer({ summary: 'leave out so many from the start', helpValue: '<number>' }),
  after: string({
    summary: 'go on behind the object of that id, where another list ended',
    helpValue: '<id>',
    exclusive: ['offset'],
  }),
  'order-by': string({
    summary: 'attribute to order by; -amount or desc(amount) turns it around',
    helpValue: '<name>',
  }),
  count: boolean({ summary: 'how many match, instead of them' }),
  sum: string({
    summary: 'the sum of an attribute, instead of the objects; several by comma',
    helpValue: '<name>',
  }),
  'group-by': string({
    summary: 'groups that are alike in an attribute, with --count, --sum or functions in --fields',
    helpValue: '<name>',
  }),
  'output-file': string({
    summary: 'write all that match to a file, whole or not at all; .csv, .json and .ndjson say the form',
    helpValue: '<file>',
  }),
}

/** What the flags above say. */
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
