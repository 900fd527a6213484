import { boolean, custom, option, string } from '@oclif/core/flags'
import type { Environment } from '../../../engine/store/database/store.js'
import { IDEMPOTENCY_KEY, isIdempotencyKey } from '../../../schema/idempotency-key.js'
import { UsageError } from '../failure/failure.js'
import { readAddressText } from '../input/address-text.js'
import { FORMATS, type Format } from '../output/format.js'

const helpGroup = 'GLOBAL'

const addressFlag = custom<string>({ parse: async (text) => readAddressText(text) })

/** Flags of every command. */
export const globalFlags = {
  env: option({
    options: ['test', 'live'] as const,
    default: 'test',
    env: 'PAYCTL_ENV',
    summary: 'environment to work on',
    helpGroup,
  })(),
  profile: string({
    env: 'PAYCTL_PROFILE',
    summary: 'profile to use, as payctl profiles lists them',
    helpValue: '<name>',
    helpGroup,
  }),
  server: addressFlag({
    env: 'PAYCTL_SERVER',
    summary: 'payctl serve to use instead of a database of this machine',
    helpValue: '<url>',
    helpGroup,
  }),
  'key-file': string({
    env: 'PAYCTL_KEY_FILE',
    summary: 'file with the secret key for the server; - reads a line of standard input',
    helpValue: '<file>',
    helpGroup,
  }),
  output: option({
    char: 'o',
    options: FORMATS,
    default: 'table',
    env: 'PAYCTL_OUTPUT',
    summary: 'output format',
    helpGroup,
  })(),
  json: boolean({ summary: 'the same as --output json: what HTTP would answer', helpGroup }),
  jq: string({
    summary: 'expression of jq that is applied to the JSON; prints its results, one per line',
    helpValue: '<expression>',
    helpGroup,
  }),
  fields: string({ summary: "attributes to show, as in '*,ledger'", helpValue: '<names>', helpGroup }),
  columns: string({
    summary: 'columns of a table or CSV, in this order; only they are requested unless --fields is given',
    helpValue: '<names>',
    helpGroup,
  }),
  'safe-csv': boolean({
    allowNo: true,
    summary:
      "CSV whose texts are not formulas to a spreadsheet: ' in front of = + - @; the default for batches",
    env: 'PAYCTL_SAFE_CSV',
    helpGroup,
  }),
  utc: boolean({
    summary: 'datetimes on a terminal in UTC instead of local time; piped output is always in UTC',
    env: 'PAYCTL_UTC',
    helpGroup,
  }),
  'no-color': boolean({
    summary: 'no colours (also NO_COLOR); FORCE_COLOR shows them when piped',
    helpGroup,
  }),
  'no-pager': boolean({
    summary: 'no pager for output that is longer than the terminal',
    env: 'PAYCTL_NO_PAGER',
    helpGroup,
  }),
  'no-input': boolean({
    summary: 'never prompt; missing input is an error',
    env: 'PAYCTL_NO_INPUT',
    helpGroup,
  }),
}

/** Flag that confirms requests to the live environment, for use without a terminal. */
const confirmFlag = string({
  summary: 'confirm in the live environment without a terminal: live, or the id where one is required',
  helpValue: 'live|<id>',
  helpGroup: 'WRITE',
})

/**
 * Flag of the idempotency key. It refuses an empty key, as from a script's empty variable, because several
 * requests would then share it.
 */
const idempotencyKeyFlag = custom<string>({
  parse: async (text) => {
    if (isIdempotencyKey(text)) return text
    throw new UsageError(`Expected ${IDEMPOTENCY_KEY}`)
  },
})

/** Flags of every command that changes data. */
export const writeFlags = {
  'dry-run': boolean({ summary: 'show what would happen, without doing it', helpGroup: 'WRITE' }),
  'idempotency-key': idempotencyKeyFlag({
    summary: 'requests with the same key are done once, however often they are sent',
    helpValue: '<key>',
    helpGroup: 'WRITE',
  }),
  yes: boolean({ char: 'y', summary: 'answer confirmations with yes', helpGroup: 'WRITE' }),
  confirm: confirmFlag,
}

/** Values of the flags above. A command may lack some of these flags. */
export interface Choices {
  readonly env: Environment
  readonly profile?: string | undefined
  readonly server?: string | undefined
  readonly 'key-file'?: string | undefined
  readonly output: Format
  readonly json: boolean
  readonly jq?: string | undefined
  readonly fields?: string | undefined
  readonly columns?: string | undefined
  readonly 'safe-csv'?: boolean | undefined
  readonly 'no-pager'?: boolean
  readonly 'no-input': boolean
  readonly 'dry-run'?: boolean
  readonly 'idempotency-key'?: string | undefined
  readonly yes?: boolean
  readonly confirm?: string | undefined
}

export function formatOf({ json, jq, output }: Choices): Format {
  return json || (jq !== undefined && output !== 'ndjson') ? 'json' : output
}

/** Requested attributes, in order; undefined if none were named. */
export function requestedOf({ columns, fields }: Choices): readonly string[] | undefined {
  return (columns ?? fields)?.split(',').map((name) => name.trim())
}
