import process from 'node:process'
import { PayctlCommand } from '../../terminal/command/command.js'
import { formatOf } from '../../terminal/command/global-flags.js'
import { MEANINGS } from '../../terminal/failure/exit-codes.js'
import { shapeless } from '../../terminal/input/shape.js'
import { lookOf } from '../../terminal/output/look.js'

/** Indentation below the number of a code. */
const GAP = ' '.repeat(5)
const MIN_ROOM = 16

export class ExitCodes extends PayctlCommand {
  static override summary = 'what the exit codes mean'
  static override usage = 'help exit-codes [--json]'
  static override examples = ['payctl help exit-codes', 'payctl help exit-codes --json']
  protected override readonly underProfile = false

  async run(): Promise<void> {
    const { flags } = await this.parse(ExitCodes)
    const values = MEANINGS.map(([exit_code, meaning]) => ({ exit_code, meaning }))
    if (formatOf(flags) !== 'table') await this.print(flags, { object: 'list', values }, shapeless)
    else {
      const { width = Number.POSITIVE_INFINITY } = lookOf(process.stdout, process.env)
      const { wrapped } = await import('../../terminal/output/wrap.js')
      const linesOf = (meaning: string) =>
        wrapped(meaning, Math.max(MIN_ROOM, width - GAP.length)).join(`\n${GAP}`)
      await this.page(
        flags,
        values
          .map(({ exit_code, meaning }) => `${String(exit_code).padStart(3)}  ${linesOf(meaning)}\n`)
          .join(''),
      )
    }
  }
}
