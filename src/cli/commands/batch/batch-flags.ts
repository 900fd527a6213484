import { boolean, custom, integer, option, string } from '@oclif/core/flags'
import { writeFlags } from '../../terminal/command/global-flags.js'
import { readDelimiterText } from '../../terminal/input/delimiter-text.js'

const { 'dry-run': dryRun, yes, confirm } = writeFlags

/** Flags for the pace at which rows are sent, and for conditions that stop the batch. */
export const paceFlags = {
  concurrency: integer({
    default: 200,
    min: 1,
    max: 1_000,
    summary: 'rows in flight at a time; 1 finishes each before the next',
    helpValue: '<number>',
  }),
  'max-failures': integer({
    min: 1,
    summary: 'stop when this number of rows have failed or were declined',
    helpValue: '<number>',
  }),
  'stop-on-error': boolean({ summary: 'finish each row before the next, and stop at the first that fails' }),
  out: string({
    summary: 'folder for result files; the folder of the input file unless given',
    helpValue: '<folder>',
  }),
  yes,
  confirm,
}

/** Flag that allows rows without a key to be sent again after they were edited. */
export const redoFlags = {
  'redo-edited': boolean({
    summary: 'do new rows even if the file lacks rows that are done; edited rows are then done a second time',
  }),
}

/** Flags that say how to read a file, in case the file alone does not show it. */
export const fileFlags = {
  map: string({
    multiple: true,
    summary: "attribute of a column, as in 'Total=amount'; 'Note=' leaves the column out",
    helpValue: '<column=attribute>',
  }),
  format: option({
    options: ['csv', 'ndjson'] as const,
    summary: 'format of the file; detected unless given',
  })(),
  encoding: option({
    options: ['utf-8', 'utf-16le', 'utf-16be', 'latin1'] as const,
    summary: 'encoding of the file; detected unless given, except latin1',
  })(),
  delimiter: custom<string>({ parse: async (text) => readDelimiterText(text) })({
    summary: 'character between cells, such as ; or tab; detected unless given',
    helpValue: '<character>',
  }),
  decimal: option({
    options: ['.', ','] as const,
    summary: "character before decimals, as in 1.234,50 with ','; the whole file decides unless given",
  })(),
  dates: option({
    options: ['dmy', 'mdy'] as const,
    summary: 'order of day and month in dates such as 02/03/2030; each column decides unless given',
  })(),
  'clear-blanks': boolean({
    summary: 'with --as update: an empty cell clears its attribute, instead of leaving it as it is',
  }),
  'skip-duplicates': boolean({ summary: 'leave out rows that are the same as an earlier row of the file' }),
}

export const runFlags = {
  as: string({
    required: true,
    summary:
      'kind of the rows: payment, refund, credit, void, customer, invoice or any other object to create; update: changes of the object in the column id',
    helpValue: '<kind>',
  }),
  'batch-id': string({ summary: "name of the batch; the file's name unless given", helpValue: '<name>' }),
  key: string({
    summary: 'column that identifies a row, such as order_number: edited rows are refused, never done again',
    helpValue: '<column>',
  }),
  continue: boolean({
    summary: 'continue a finished batch whose file has changed: only its new rows are done',
  }),
  ...redoFlags,
  ...fileFlags,
  ...paceFlags,
  'dry-run': dryRun,
}
