import { string } from '@oclif/core/args'
import type { FileOptions } from '../../terminal/batch/batch-job.js'
import { batchNamed } from '../../terminal/batch/batch-named.js'
import type { ClientRequest } from '../../terminal/client/client.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { isObject } from '../../terminal/input/body.js'
import { ENCODINGS } from '../../terminal/input/decode.js'
import { BatchCommand } from './batch-command.js'
import { paceFlags, redoFlags } from './batch-flags.js'

export class BatchResume extends BatchCommand {
  static override summary = 'continue a batch that was interrupted'
  static override usage = 'batch resume BATCH [FILE] [flags]'
  static override examples = [
    'payctl batch resume refunds.csv',
    'payctl batch resume rent-2030-01 - < rent.ndjson',
  ]
  static override args = {
    batch: string({ required: true, description: 'name of the batch' }),
    file: string({ description: 'its file, if it was moved; - is standard input' }),
  }
  static override flags = { ...redoFlags, ...paceFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(BatchResume)
    const ask = (request: ClientRequest) => this.ask(flags, request)
    const { as, source, options, key } = await batchNamed(ask, args.batch)
    const from = args.file ?? source
    if (typeof from !== 'string')
      throw new UsageError(`Missing FILE: the rows of ${args.batch} were piped; pipe them again to -`)
    await this.perform(flags, {
      from,
      batchId: args.batch,
      as: String(as),
      options: optionsOf(options),
      key: typeof key === 'string' ? key : undefined,
      goOn: false,
      redoEdited: flags['redo-edited'],
      pace: flags,
      out: flags.out,
      isSafe: flags['safe-csv'] ?? true,
    })
  }
}

function optionsOf(value: unknown): FileOptions {
  if (!isObject(value)) return {}
  const { map, format, encoding, delimiter, decimal, dates } = value
  return {
    map: Array.isArray(map) ? map.map(String) : undefined,
    format: format === 'csv' || format === 'ndjson' ? format : undefined,
    encoding: ENCODINGS.find((name) => name === encoding),
    delimiter: typeof delimiter === 'string' ? delimiter : undefined,
    decimal: decimal === ',' || decimal === '.' ? decimal : undefined,
    dates: dates === 'dmy' || dates === 'mdy' ? dates : undefined,
    'skip-duplicates': value['skip-duplicates'] === true || undefined,
    'clear-blanks': value['clear-blanks'] === true || undefined,
  }
}
