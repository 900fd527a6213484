import { string } from '@oclif/core/args'
import { Command } from '@oclif/core/command'
import { Config } from '@oclif/core/config'
import { PayctlHelp } from '../../terminal/help/payctl-help.js'

export class HelpCommand extends Command {
  static override summary = 'show help for a command or a topic'
  static override usage = 'help [COMMAND]'
  static override examples = ['payctl help transactions pay', 'payctl help exit-codes']
  static override args = { command: string({ description: 'command or topic' }) }
  static override strict = false

  async run(): Promise<void> {
    const { argv } = await this.parse(HelpCommand)
    const { root, pjson } = this.config
    const config = await Config.load({ root, pjson })
    await new PayctlHelp(config, pjson.oclif.helpOptions ?? {}).showHelp(argv.map(String))
  }
}
