import type { Command } from '@oclif/core/command'
import { resources } from '../../../resources/resource-table.js'
import { exportCommand } from '../derived/export-command.js'
import { getCommand } from '../derived/get-command.js'
import { listCommand } from '../derived/list-objects.js'

const { activity } = resources
const TOPIC = 'activity'

/** Commands for the log of activity, by id; created on demand. */
export const activityCommands: Readonly<Record<string, () => Command.Class>> = {
  'activity:list': () => listCommand(activity, TOPIC),
  'activity:show': () => getCommand(activity, TOPIC, 'show'),
  'activity:export': () => exportCommand(activity, TOPIC),
}
