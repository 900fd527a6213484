import process from 'node:process'
import { string as argument } from '@oclif/core/args'
import { boolean, integer } from '@oclif/core/flags'
import { resources } from '../../../resources/resource-table.js'
import { objectsIn } from '../../../schema/answer-values.js'
import { datetime } from '../../../schema/field.js'
import type { JsonObject, QueryPair } from '../../terminal/client/client.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { endlessText } from '../../terminal/command/endless-text.js'
import { interruption } from '../../terminal/command/interruption.js'
import { itemPath } from '../../terminal/command/item-path.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { isObject } from '../../terminal/input/body.js'
import { shapeOf } from '../../terminal/input/shape.js'
import { cellOf } from '../../terminal/output/cell.js'
import { type Look, lookOf } from '../../terminal/output/look.js'
import { follow } from './follow.js'

const shape = shapeOf(registry, resources.webhook_log)
/** Maximum number of rows in one request. */
const MAX_ROWS = 1_000

export class WebhooksLogs extends PayctlCommand {
  static override summary = 'show attempts to deliver to webhooks, newest first'
  static override usage = 'webhooks logs [WEBHOOK] [--follow] [flags]'
  static override examples = [
    'payctl webhooks logs',
    'payctl webhooks logs wh_0V8c… --limit 100',
    'payctl webhooks logs --follow',
  ]
  static override args = { webhook: argument({ description: 'id of the webhook; all unless given' }) }
  static override flags = {
    limit: integer({
      min: 1,
      max: MAX_ROWS,
      default: 25,
      summary: 'number of attempts',
      helpValue: '<number>',
    }),
    follow: boolean({ char: 'f', summary: 'continue with new attempts as they happen, one per line' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WebhooksLogs)
    const filter: QueryPair[] = args.webhook === undefined ? [] : [['webhook_id', args.webhook]]
    const ask = async (limit: number) =>
      await this.ask(flags, {
        method: 'GET',
        path: `/${resources.webhook_log.plural}`,
        query: [...filter, ['limit', String(limit)]],
      })
    if (!flags.follow) {
      const { body } = await ask(flags.limit)
      if (args.webhook !== undefined && objectsIn(body).length === 0)
        await this.ask(flags, { method: 'GET', path: itemPath(resources.webhook.plural, args.webhook) })
      await this.print(flags, body, shape)
      return
    }
    const look = lookOf(process.stdout, process.env)
    const lines = await endlessText(flags, shape, (log) => logLine(log, look))
    await follow({
      interrupted: interruption(),
      say: (text) => this.say(flags, text),
      ask: async (isFirst) => objectsIn((await ask(isFirst ? flags.limit : MAX_ROWS)).body).toReversed(),
      print: async (log) => {
        process.stdout.write(lines(log))
      },
    })
  }
}

/** An attempt in one line; its time is formatted for a terminal or for programs. */
export function logLine(
  { created_at: at, http_status, trigger, triggered_on, url, attempt, problem }: JsonObject,
  look: Look,
): string {
  const on = isObject(triggered_on) ? triggered_on.id : ''
  const status = cellOf(http_status, resources.webhook_log.fields.http_status, look).text
  const why = problem === null ? '' : ` (${problem})`
  return `${cellOf(at, datetime(), look).text}  ${status}  ${trigger} ${on} → ${url}, attempt ${attempt}${why}`
}
