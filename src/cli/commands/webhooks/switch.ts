import { PayctlCommand } from '../../terminal/command.js'
import { writeFlags } from '../../terminal/global-flags.js'
import { webhookShape as shape, webhookArgument, webhookPath } from './target.js'

/** `payctl webhooks enable` and `disable`. */
function switchCommand(verb: string, status: 'enabled' | 'disabled', summary: string) {
  return class Switch extends PayctlCommand {
    static override summary = summary
    static override usage = `webhooks ${verb} WEBHOOK [flags]`
    static override examples = [`payctl webhooks ${verb} wh_0V8c…`]
    static override args = { webhook: webhookArgument }
    static override flags = writeFlags

    async run(): Promise<void> {
      const { args, flags } = await this.parse(Switch)
      await this.send(flags, { method: 'PUT', path: webhookPath(args.webhook), body: { status }, shape })
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
