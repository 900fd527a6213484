import type { Command } from '@oclif/core/command'
import { resources } from '../../../resources/resource-table.js'
import type { ClientRequest } from '../../terminal/client/client.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { writeFlags } from '../../terminal/command/global-flags.js'
import { actionCommand } from '../derived/action.js'
import { getCommand } from '../derived/get-command.js'
import { listCommand } from '../derived/list-objects.js'
import { decidingCommand } from '../derived/next-commands.js'
import { gatewayArgument, gatewayPath, gatewayShape as shape } from './gateway-target.js'

/** Operations on one gateway, by the verb of the command. */
const VERBS = {
  show: { summary: 'show a gateway; never its credentials', method: 'GET', action: '' },
  pause: {
    summary: 'send no new operations to a gateway; outcomes of earlier ones are still read',
    method: 'POST',
    action: '/pause',
  },
  resume: { summary: 'send new operations to a gateway again', method: 'POST', action: '/resume' },
} as const satisfies Record<string, Pick<ClientRequest, 'method'> & { summary: string; action: string }>

/** `payctl gateways <verb> GATEWAY` */
function gatewayCommand(verb: keyof typeof VERBS) {
  const { summary, method, action } = VERBS[verb]
  return class Act extends PayctlCommand {
    static override summary = summary
    static override usage = `gateways ${verb} GATEWAY [flags]`
    static override examples = [`payctl gateways ${verb} up --env live`]
    static override args = { gateway: gatewayArgument }
    static override flags = verb === 'show' ? {} : writeFlags

    async run(): Promise<void> {
      const { args, flags } = await this.parse(Act)
      const path = await gatewayPath(args.gateway, (request) => this.ask(flags, request))
      await this.send(flags, { method, path: `${path}${action}`, shape })
    }
  }
}

const {
  gateway,
  exception,
  gateway_notification: notification,
  settlement,
  settlement_line: settlementLine,
} = resources

/** Commands for gateways, their settlements and exceptions, by id; created on demand. */
export const gatewayCommands: Readonly<Record<string, () => Command.Class>> = {
  'gateways:list': () => listCommand(gateway, 'gateways'),
  'gateways:show': () => gatewayCommand('show'),
  'gateways:pause': () => gatewayCommand('pause'),
  'gateways:resume': () => gatewayCommand('resume'),
  'gateways:notifications:list': () => listCommand(notification, 'gateways notifications'),
  'gateways:notifications:show': () => getCommand(notification, 'gateways notifications', 'show'),
  'gateways:notifications:handle': () =>
    actionCommand(notification, 'handle', notification.actions.handle, 'gateways notifications handle'),
  'settlements:list': () => listCommand(settlement, 'settlements'),
  'settlements:show': () => getCommand(settlement, 'settlements', 'show'),
  'settlements:lines:list': () => listCommand(settlementLine, 'settlements lines'),
  'settlements:lines:show': () => getCommand(settlementLine, 'settlements lines', 'show'),
  'exceptions:list': () => listCommand(exception, 'exceptions'),
  'exceptions:show': () => getCommand(exception, 'exceptions', 'show', decidingCommand),
}
