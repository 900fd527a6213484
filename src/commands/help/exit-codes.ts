import { PayctlCommand } from '../../terminal/command.js'
import { MEANINGS } from '../../terminal/exit-codes.js'
import { formatOf } from '../../terminal/global-flags.js'
import { shapeless } from '../../terminal/shape.js'

export class ExitCodes extends PayctlCommand {
  static override summary = 'what the exit codes mean'
  static override usage = 'help exit-codes [--json]'

  async run(): Promise<void> {
    const { flags } = await this.parse(ExitCodes)
    const values = MEANINGS.map(([exit_code, meaning]) => ({ exit_code, meaning }))
    if (formatOf(flags) === 'json') await this.print(flags, { object: 'list', values }, shapeless)
    else
      for (const { exit_code, meaning } of values)
        process.stdout.write(`${String(exit_code).padStart(3)}  ${meaning}\n`)
  }
}
