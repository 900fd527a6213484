import type { Command } from '@oclif/core/command'
import { resources } from '../../../resources/resource-table.js'
import { createCommand } from '../derived/create-command.js'
import { deleteCommand } from '../derived/delete.js'
import { getCommand } from '../derived/get-command.js'
import { listCommand } from '../derived/list-objects.js'
import { switchCommand } from '../derived/switch-command.js'
import { updateCommand } from '../derived/update-command.js'
import { operatorAddition } from './machine-login.js'

const { operator, operator_session: session } = resources
const TOPIC = 'operators'

/** Commands for operators and their sessions, by id; created on demand. */
export const operatorCommands: Readonly<Record<string, () => Command.Class>> = {
  'operators:add': () => createCommand(operator, TOPIC, 'add', operatorAddition),
  'operators:list': () => listCommand(operator, TOPIC),
  'operators:show': () => getCommand(operator, TOPIC, 'show'),
  'operators:update': () => updateCommand(operator, TOPIC, operatorAddition),
  'operators:disable': () =>
    switchCommand(operator, TOPIC, {
      verb: 'disable',
      status: 'disabled',
      summary: 'refuse every action of an operator at once; their past actions stay in the activity',
    }),
  'operators:enable': () =>
    switchCommand(operator, TOPIC, {
      verb: 'enable',
      status: 'active',
      summary: 'let a disabled operator work again',
    }),
  'operators:sessions:list': () => listCommand(session, 'operators sessions'),
  'operators:sessions:end': () => deleteCommand(session, 'operators sessions', 'end'),
}
