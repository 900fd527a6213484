import process from 'node:process'
import { PayctlCommand } from '../../terminal/command/command.js'
import { ownVariable } from '../../terminal/command/flag-variables.js'
import { formatOf, globalFlags, writeFlags } from '../../terminal/command/global-flags.js'
import { flagDefinitions, type HelpFlag, type NamedFlag } from '../../terminal/help/flag-definitions.js'
import { shapeless } from '../../terminal/input/shape.js'
import { lookOf } from '../../terminal/output/look.js'

/** `payctl help flags`: the flags that the help of a command summarizes in one line. */
export class HelpFlags extends PayctlCommand {
  static override summary = 'flags that every command has, and those of every command that changes something'
  static override usage = 'help flags'
  static override examples = ['payctl help flags', 'payctl help flags --json']
  protected override readonly underProfile = false

  async run(): Promise<void> {
    const { flags } = await this.parse(HelpFlags)
    const global = ownFlags(globalFlags)
    const write = ownFlags(writeFlags)
    if (formatOf(flags) === 'table') {
      const sections = [
        { head: 'GLOBAL FLAGS', definitions: flagDefinitions(global) },
        { head: 'WRITE FLAGS', definitions: flagDefinitions(write) },
      ]
      const { pageText } = await import('../../terminal/help/help-sections.js')
      await this.page(flags, pageText([HelpFlags.summary], sections, lookOf(process.stdout, process.env)))
    } else {
      const values = [...global, ...write].map(([name, { env, summary = '' }]) => ({
        flag: `--${name}`,
        variable: env ?? null,
        meaning: summary,
      }))
      await this.print(flags, { object: 'list', values }, shapeless)
    }
  }
}

/** Flags with the variables that they declare. Variables derived from the name of this command are left out. */
function ownFlags(flags: Readonly<Record<string, HelpFlag>>): readonly NamedFlag[] {
  return Object.entries(flags).map(([name, flag]) => [name, { ...flag, env: ownVariable(flag) }])
}
