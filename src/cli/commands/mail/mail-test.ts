import { string } from '@oclif/core/flags'
import { PayctlCommand } from '../../terminal/command/command.js'
import { formatOf, writeFlags } from '../../terminal/command/global-flags.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { foundMailServer, MAIL_SERVERS, mailServerShape } from './mail-target.js'

export class MailTest extends PayctlCommand {
  static override summary = 'send a message that says that mail works; test keeps it'
  static override usage = 'mail test --to <email> [flags]'
  static override examples = [
    'payctl mail test --to me@example.com',
    'payctl mail test --to me@example.com --env live',
  ]
  static override flags = {
    to: string({ required: true, summary: 'address of the recipient', helpValue: '<email>' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(MailTest)
    const known = await foundMailServer((request) => this.ask(flags, request))
    if (!known)
      throw new UsageError('Mail is off: payctl mail set --host <name> --from <email> switches it on')
    const path = `${MAIL_SERVERS}/${String(known.id)}/test`
    const { body } = await this.ask(flags, { method: 'POST', path, body: { to: flags.to } })
    if (formatOf(flags) !== 'table') return await this.print(flags, body, mailServerShape)
    this.say(
      flags,
      flags.env === 'live'
        ? `${String(known.host)} has taken a message to ${flags.to}`
        : 'The message is kept, as test sends nothing: payctl mail list',
    )
  }
}
