import type { Command } from '@oclif/core/command'
import { resources } from '../../../resources/resource-table.js'
import { switchCommand } from '../derived/switch-command.js'

const { webhook } = resources

/** Commands that switch a webhook on and off, by id; created on demand. */
export const webhookSwitches: Readonly<Record<string, () => Command.Class>> = {
  'webhooks:enable': () =>
    switchCommand(webhook, 'webhooks', {
      verb: 'enable',
      status: 'enabled',
      summary: 'send events to a webhook from now on (webhooks replay sends what it missed)',
    }),
  'webhooks:disable': () =>
    switchCommand(webhook, 'webhooks', {
      verb: 'disable',
      status: 'disabled',
      summary: 'stop sending to a webhook; deliveries that wait for it are dropped',
    }),
}
