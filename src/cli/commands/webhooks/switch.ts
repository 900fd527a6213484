import { string } from '@oclif/core/args'
import { resources } from '../../../resources/resource-table.js'
import { PayctlCommand } from '../../terminal/command.js'
import { registry } from '../../terminal/declared-registry.js'
import { writeFlags } from '../../terminal/global-flags.js'
import { shapeOf } from '../../terminal/input/shape.js'
import { itemPath } from '../../terminal/item-path.js'

const { webhook } = resources
const shape = shapeOf(registry, webhook)

/** `payctl webhooks enable` and `disable`. */
function switchCommand(verb: string, status: 'enabled' | 'disabled', summary: string) {
  return class Switch extends PayctlCommand {
    static override summary = summary
    static override usage = `webhooks ${verb} WEBHOOK [flags]`
    static override examples = [`payctl webhooks ${verb} wh_0V8c…`]
    static override args = { webhook: string({ required: true, description: 'id of the webhook' }) }
    static override flags = writeFlags

    async run(): Promise<void> {
      const { args, flags } = await this.parse(Switch)
      const path = itemPath(webhook.plural, args.webhook)
      await this.send(flags, { method: 'PUT', path, body: { status }, shape })
    }
  }
}

export const WebhooksEnable = switchCommand(
  'enable',
  'enabled',
  'send events to a webhook from now on (webhooks replay sends what it missed)',
)
export const WebhooksDisable = switchCommand(
  'disable',
  'disabled',
  'send nothing more to a webhook; what waits for it is dropped',
)
