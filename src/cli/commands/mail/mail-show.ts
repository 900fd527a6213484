import { string } from '@oclif/core/args'
import { boolean } from '@oclif/core/flags'
import { resources } from '../../../resources/resource-table.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { formatOf } from '../../terminal/command/global-flags.js'
import { itemPath } from '../../terminal/command/item-path.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { shapeOf } from '../../terminal/input/shape.js'
import { cleanText } from '../../terminal/output/clean.js'

const shape = shapeOf(registry, resources.mail_message)

export class MailShow extends PayctlCommand {
  static override summary = 'show a message as its reader sees it'
  static override description =
    'Prints the plain text; with --html, the HTML for mail programs. --json shows its status, attempts and address.'
  static override usage = 'mail show ID [--html] [flags]'
  static override examples = [
    'payctl mail show mail_0V8c…',
    'payctl mail show mail_0V8c… --html > message.html',
    'payctl mail show mail_0V8c… --json',
  ]
  static override args = { id: string({ required: true, description: 'id of the message' }) }
  static override flags = { html: boolean({ summary: 'as HTML' }) }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MailShow)
    const id = await this.idOf(flags, resources.mail_message, args.id)
    const path = itemPath(resources.mail_message.plural, id)
    if (formatOf(flags) !== 'table') return void (await this.send(flags, { method: 'GET', path, shape }))
    const { body } = await this.ask(flags, { method: 'GET', path, query: [['fields', '*,content']] })
    const [{ parseMail }, { mailHtml, mailText }] = await Promise.all([
      import('../../../domain/mail/parse-mail.js'),
      import('../../../domain/mail/render-mail.js'),
    ])
    const content = parseMail(body.content)
    if (!content) return await this.print(flags, body, shape)
    if (flags.html) return await this.write(flags, mailHtml(content))
    const head = [
      ['To', body.email],
      ['Subject', body.subject],
      ['Status', body.status],
      ...(body.problem === null ? [] : [['Problem', body.problem]]),
    ]
    const lines = head.map(([label, value]) => `${String(label)}: ${cleanText(String(value))}`)
    await this.write(flags, `${lines.join('\n')}\n\n${mailText(content)}`)
  }
}
