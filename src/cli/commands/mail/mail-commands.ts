import type { Command } from '@oclif/core/command'
import { string } from '@oclif/core/flags'
import { resources } from '../../../resources/resource-table.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { formatOf, writeFlags } from '../../terminal/command/global-flags.js'
import { interruption } from '../../terminal/command/interruption.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { shapeless } from '../../terminal/input/shape.js'
import { openLocalApp } from '../../terminal/local/local-client.js'
import { actionCommand } from '../derived/action.js'
import { listCommand } from '../derived/list-objects.js'
import { foundMailServer, MAIL_SERVERS, mailServerShape, mailServerShape as shape } from './mail-target.js'

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

const { mail_message: message } = resources

/** Commands for messages, by id; created on demand. */
export const mailCommands: Readonly<Record<string, () => Command.Class>> = {
  'mail:list': () => listCommand(message, 'mail'),
  'mail:retry': () => actionCommand(message, 'retry', message.actions.retry, 'mail retry'),
}
