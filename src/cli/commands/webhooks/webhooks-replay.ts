import { string as argument } from '@oclif/core/args'
import { string } from '@oclif/core/flags'
import { adminOperations } from '../../../resources/admin/admin-operations.js'
import type { JsonObject } from '../../terminal/client/client.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { writeFlags } from '../../terminal/command/global-flags.js'
import { dateFlag } from '../../terminal/command/resource-flags.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { shapeOfAnswer } from '../../terminal/input/shape.js'

const { replay_events: replay } = adminOperations
const shape = shapeOfAnswer(registry, replay)

export class WebhooksReplay extends PayctlCommand {
  static override summary = replay.summary
  static override usage = 'webhooks replay [EVENT_OR_LOG | --since <date>] [--webhook <id>] [flags]'
  static override examples = [
    'payctl webhooks replay evt_0V8c…',
    'payctl webhooks replay 0V8c…',
    'payctl webhooks replay --since 2d --webhook wh_0V8c…',
  ]
  static override args = {
    what: argument({ description: 'id of an event (webhook-id), or of a log' }),
  }
  static override flags = {
    since: dateFlag({ summary: 'replay all events since this time (UTC)' }),
    webhook: string({
      summary: 'to this webhook only, including events from before it was created',
      helpValue: '<id>',
    }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WebhooksReplay)
    const { what } = args
    const { since, webhook } = flags
    if ((what === undefined) === (since === undefined))
      throw new UsageError('Say which event or log, or since when: --since')
    const body: JsonObject = {
      ...(what !== undefined && (what.startsWith('evt_') ? { event_id: what } : { log_id: what })),
      ...(since !== undefined && { since }),
      ...(webhook !== undefined && { webhook_id: webhook }),
    }
    await this.send(flags, { method: replay.method, path: `/${replay.path}`, body, shape })
    if (!flags['dry-run'])
      this.say(flags, 'They are sent by payctl serve, or now by: payctl webhooks deliver --once')
  }
}
