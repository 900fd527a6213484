import type { Command } from '@oclif/core/command'
import { resources } from '../../../resources/resource-table.js'
import { getCommand } from '../derived/get-command.js'
import { listCommand } from '../derived/list-objects.js'

const { dispute } = resources

/** Commands that show disputes, by id; made on demand. Banks make, change and end them. */
export const disputeCommands: Readonly<Record<string, () => Command.Class>> = {
  'disputes:list': () => listCommand(dispute, 'disputes'),
  'disputes:show': () => getCommand(dispute, 'disputes', 'show'),
}
