import process from 'node:process'
import { integer, option, string } from '@oclif/core/flags'
import type { JsonObject } from '../../../schema/json.js'
import { LANGUAGES } from '../../../schema/language.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { type Choices, writeFlags } from '../../terminal/command/global-flags.js'
import { readTextFile } from '../../terminal/input/data.js'
import { secretFrom, variableOf } from '../../terminal/input/secret-sources.js'
import { promptsFor } from '../../terminal/prompts/prompts.js'
import { foundMailServer, MAIL_SERVERS, mailServerShape as shape } from './mail-target.js'

/** Flags whose values are sent as they are, with their attributes. */
const SENT = [
  { name: 'host', path: ['host'] },
  { name: 'port', path: ['port'] },
  { name: 'security', path: ['security'] },
  { name: 'username', path: ['username'] },
  { name: 'from', path: ['from_address'] },
  { name: 'reply-to', path: ['reply_to'] },
  { name: 'language', path: ['language'] },
  { name: 'reminder-days', path: ['reminder_days'] },
] as const

const PASSWORD = { name: 'password', path: ['smtp_password'] } as const

export class MailSet extends PayctlCommand {
  static override summary = 'switch mail on, or change its server; without a flag, show it'
  static override description =
    'Payers then get mail about receipts, invoices, due dates, failed automatic payments and expiring cards. An organization ' +
    'can switch kinds off (payctl orgs update --mail-receipt no). The password is encrypted with the key file and never shown; another ' +
    'server or username needs it anew. Test stores messages instead of sending them, and needs no host. Afterwards, run payctl mail test.'
  static override usage = 'mail set [--host <name>] [--from <email>] [flags]'
  static override examples = [
    'payctl mail set',
    'payctl mail set --from billing@example.com',
    'payctl mail set --env live --host smtp.example.com --username shop --password-file password.txt --from billing@example.com',
    'payctl mail set --env live --reminder-days 7 --language es',
  ]
  static override flags = {
    host: string({ summary: 'name of the SMTP server', helpValue: '<name>' }),
    port: integer({
      min: 1,
      max: 65_535,
      summary: '587 unless given, 465 with --security tls',
      helpValue: '<number>',
    }),
    security: option({
      options: ['starttls', 'tls', 'none'] as const,
      summary: 'how the connection is encrypted; none: only to a server on this machine',
    })(),
    username: string({ summary: 'user name at the server', helpValue: '<text>' }),
    password: string({ summary: 'the password; - reads a line of standard input', helpValue: '-' }),
    'password-file': string({ summary: 'file with the password', helpValue: '<file>' }),
    from: string({ summary: 'the address that mail comes from', helpValue: '<email>' }),
    'reply-to': string({ summary: 'address for answers', helpValue: '<email>' }),
    language: option({
      options: LANGUAGES,
      summary: 'language of mail, unless a link or the organization has another one',
    })(),
    'reminder-days': integer({
      min: 0,
      max: 60,
      summary: 'days before the due date on which payers are reminded; 3 unless given',
      helpValue: '<number>',
    }),
    ...writeFlags,
  }

  protected override descriptions = SENT

  async run(): Promise<void> {
    const { flags } = await this.parse(MailSet)
    const known = await foundMailServer((request) => this.ask(flags, request))
    const body: JsonObject = {}
    for (const { name, path } of SENT) {
      const value = flags[name]
      if (value !== undefined) body[path[0]] = value
    }
    const password = await this.password(flags, flags)
    if (password !== undefined) body.password = password
    if (Object.keys(body).length === 0) return await this.show(flags, known)
    const [method, path] = known
      ? (['PUT', `${MAIL_SERVERS}/${String(known.id)}`] as const)
      : (['POST', MAIL_SERVERS] as const)
    await this.send(flags, { method, path, body, shape })
  }

  private async show(choices: Choices, known: JsonObject | undefined): Promise<void> {
    if (known) await this.print(choices, known, shape)
    else this.say(choices, 'Mail is off: payctl mail set --host <name> --from <email> switches it on')
  }

  /** The password from its flag, file or variable, or from a prompt if a username is given. */
  private async password(
    choices: Choices,
    given: {
      password?: string | undefined
      'password-file'?: string | undefined
      username?: string | undefined
    },
  ): Promise<string | undefined> {
    if (given['password-file'] !== undefined) return (await readTextFile(given['password-file'])).trim()
    if (given.password !== undefined) return await secretFrom(PASSWORD, given.password, this.sources(choices))
    if (given.username === undefined) return undefined
    const kept = process.env[variableOf(PASSWORD.path)]
    if (kept) return kept
    const prompts = promptsFor(choices['no-input'])
    if (!prompts) return undefined
    const doc = `password of ${given.username}`
    return String(await prompts.value({ ...PASSWORD, kind: 'secret', choices: [], required: true, doc }))
  }
}
