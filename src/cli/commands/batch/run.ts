import { string } from '@oclif/core/args'
import { BatchCommand } from './batch-command.js'
import { runFlags } from './flags.js'

export class BatchRun extends BatchCommand {
  static override summary = 'do every row of a file, each exactly once'
  static override description =
    'Reads CSV or NDJSON whose columns are the names of attributes, says what it amounts to, then sends it. ' +
    'A refund or a void names its payment in the column payment. Interrupted at any time, batch resume goes on; ' +
    'the same rows are not done again. Beside the file it writes what became of each row, and the rows to mend.'
  static override usage = 'batch run FILE --as <kind> [flags]'
  static override examples = [
    'payctl batch run refunds.csv --as refund --dry-run',
    'payctl batch run refunds.csv --as refund',
    "payctl batch run people.csv --as customer --map 'Full name=name' --map 'Notes='",
    'payctl batch run - --as payment --batch-id rent-2030-01 < rent.ndjson',
  ]
  static override args = {
    file: string({ required: true, description: 'CSV or NDJSON; - is standard input' }),
  }
  static override flags = runFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(BatchRun)
    const { map, format, encoding, delimiter } = flags
    await this.perform(flags, {
      from: args.file,
      batchId: flags['batch-id'],
      as: flags.as,
      options: { map, format, encoding, delimiter },
      goOn: flags.continue,
      pace: flags,
      out: flags.out,
      isSafe: flags['safe-csv'] ?? true,
    })
  }
}
