import { PayctlCommand } from '../../terminal/command/command.js'
import { formatOf } from '../../terminal/command/global-flags.js'
import { interruption } from '../../terminal/command/interruption.js'
import { shapeless } from '../../terminal/input/shape.js'
import { openLocalApp } from '../../terminal/local/local-client.js'

export class MailDeliver extends PayctlCommand {
  static override summary = 'send the messages that are due; test keeps them'
  static override description = 'serve does the same by itself, every second.'
  static override usage = 'mail deliver [flags]'
  static override examples = ['payctl mail deliver', 'payctl mail deliver --env live']
  static override flags = {}

  async run(): Promise<void> {
    const { flags } = await this.parse(MailDeliver)
    const causes: unknown[] = []
    const app = await openLocalApp(await this.localSettings('anybody'), (error) => causes.push(error))
    try {
      const attempts = await (await app.environment(flags.env)).sendMail(interruption())
      if (causes.length > 0) throw causes[0]
      if (formatOf(flags) !== 'table') return await this.print(flags, { attempts }, shapeless)
      this.say(flags, `${attempts} messages were tried; payctl mail list shows them.`)
    } finally {
      await app.close()
    }
  }
}
