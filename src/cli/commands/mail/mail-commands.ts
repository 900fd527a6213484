import type { Command } from '@oclif/core/command'
import { resources } from '../../../resources/resource-table.js'
import { actionCommand } from '../derived/action.js'
import { listCommand } from '../derived/list-objects.js'

const { mail_message: message } = resources

/** Commands for messages, by id; created on demand. */
export const mailCommands: Readonly<Record<string, () => Command.Class>> = {
  'mail:list': () => listCommand(message, 'mail'),
  'mail:retry': () => actionCommand(message, 'retry', message.actions.retry, 'mail retry'),
}
