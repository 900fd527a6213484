import type { Command } from '@oclif/core/command'
import { resources } from '../../../resources/resource-table.js'
import { actionCommand } from '../derived/action.js'
import { getCommand } from '../derived/get-command.js'
import { listCommand } from '../derived/list-objects.js'
import { decidingCommand } from '../derived/next-commands.js'
import { gatewayCommand } from './gateway-command.js'

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
