import { string } from '@oclif/core/args'
import { BatchCommand } from './batch-command.js'
import { runFlags } from './batch-flags.js'

export class BatchRun extends BatchCommand {
  static override summary = 'do every row of a file, each exactly once'
  static override description =
    'Reads CSV or NDJSON whose columns are named like attributes, shows the number of rows and their total, then sends them. ' +
    'A refund or a void names its payment in the column payment; with --as update, each row names an object in the column id ' +
    'and its new values in the others. After an interruption, batch resume continues the batch; ' +
    'no row is done twice. Two files beside the input get the outcome of each row, and the rows to fix.'
  static override usage = 'batch run FILE --as <kind> [flags]'
  static override examples = [
    'payctl batch run refunds.csv --as refund --dry-run',
    'payctl batch run refunds.csv --as refund',
    'payctl batch run orders.csv --as payment --key order_number',
    "payctl batch run people.csv --as customer --map 'Full name=name' --map 'Notes='",
    'payctl batch run prices.csv --as update',
    'payctl batch run - --as payment --batch-id rent-2030-01 < rent.ndjson',
  ]
  static override args = {
    file: string({ required: true, description: 'CSV or NDJSON; - is standard input' }),
  }
  static override flags = runFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(BatchRun)
    const { map, format, encoding, delimiter, decimal, dates } = flags
    await this.perform(flags, {
      from: args.file,
      batchId: flags['batch-id'],
      as: flags.as,
      options: {
        map,
        format,
        encoding,
        delimiter,
        decimal,
        dates,
        'skip-duplicates': flags['skip-duplicates'] || undefined,
        'clear-blanks': flags['clear-blanks'] || undefined,
      },
      key: flags.key,
      goOn: flags.continue,
      redoEdited: flags['redo-edited'],
      pace: flags,
      out: flags.out,
      isSafe: flags['safe-csv'] ?? true,
    })
  }
}
