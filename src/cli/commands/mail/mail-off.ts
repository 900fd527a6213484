import { PayctlCommand } from '../../terminal/command/command.js'
import { writeFlags } from '../../terminal/command/global-flags.js'
import { foundMailServer, MAIL_SERVERS, mailServerShape as shape } from './mail-target.js'

export class MailOff extends PayctlCommand {
  static override summary = 'switch mail off; the settings are deleted, and messages that wait are dropped'
  static override usage = 'mail off [flags]'
  static override examples = ['payctl mail off', 'payctl mail off --env live']
  static override flags = writeFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(MailOff)
    const known = await foundMailServer((request) => this.ask(flags, request))
    if (known)
      await this.send(flags, { method: 'DELETE', path: `${MAIL_SERVERS}/${String(known.id)}`, shape })
    else this.say(flags, 'Mail is off')
  }
}
