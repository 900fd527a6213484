import process from 'node:process'
import { string } from '@oclif/core/args'
import type { Command } from '@oclif/core/command'
import { boolean } from '@oclif/core/flags'
import { adminOperations } from '../../../resources/admin/admin-operations.js'
import { resources } from '../../../resources/resource-table.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { writeFlags } from '../../terminal/command/global-flags.js'
import { dateFlag } from '../../terminal/command/resource-flags.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { missingObject } from '../../terminal/failure/failure.js'
import { shapeOfAnswer } from '../../terminal/input/shape.js'
import { serverOf } from '../../terminal/profiles/settings.js'
import { createCommand } from '../derived/create-command.js'
import { deleteCommand } from '../derived/delete.js'
import { getCommand } from '../derived/get-command.js'
import { listCommand } from '../derived/list-objects.js'
import { switchCommand } from '../derived/switch-command.js'
import { describedId } from '../derived/topic.js'
import { updateCommand } from '../derived/update-command.js'
import { KEYS, keyShape } from '../keys/key-target.js'
import { operatorAddition } from './machine-login.js'

const { operator, operator_session: session } = resources
const { set_operator_settings: operation } = adminOperations

export class OperatorsToken extends PayctlCommand {
  static override summary =
    'make a token with which an operator works at another terminal; it is shown only once'
  static override description =
    'The token is an API key with the permissions of the operator. It is refused when the operator is disabled, or after payctl keys revoke.'
  static override usage = 'operators token OPERATOR [flags]'
  static override examples = [
    'payctl operators token ada@example.com',
    'payctl operators token oper_0V8c… --expires-at 2031-01-01 --json',
  ]
  static override args = { operator: string({ required: true, description: describedId(operator) }) }
  static override flags = { 'expires-at': dateFlag({ summary: 'when it expires (UTC)' }), ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(OperatorsToken)
    const operator_id = await this.idOf(flags, operator, args.operator)
    if (!operator_id.startsWith(operator.prefix)) throw missingObject(`There is no operator ${args.operator}`)
    const body = {
      operator_id,
      description: `token of ${args.operator}`,
      ...(flags['expires-at'] !== undefined && { expires_at: flags['expires-at'] }),
    }
    await this.send(flags, { method: 'POST', path: KEYS, body, shape: keyShape })
    const server = serverOf(this.settings(), process.env)
    this.say(
      flags,
      `Keep secret_key now: it cannot be shown again. They save it on their machine with:\npayctl profiles add work --server ${server} --key-file -`,
    )
  }
}

export class OperatorsRequireMapping extends PayctlCommand {
  static override summary = 'refuse logins of this machine that are not operators'
  static override description =
    'Without this setting, a login that is not an operator works as owner in a home of its own. An active owner with a login must exist before.'
  static override usage = 'operators require-mapping [--off] [flags]'
  static override examples = ['payctl operators require-mapping', 'payctl operators require-mapping --off']
  static override flags = {
    off: boolean({ summary: 'let the login that owns the home work as owner again' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(OperatorsRequireMapping)
    const { method, path } = operation
    const shape = shapeOfAnswer(registry, operation)
    await this.send(flags, { method, path: `/${path}`, body: { require_mapping: !flags.off }, shape })
  }
}

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
