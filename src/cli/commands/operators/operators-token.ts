import process from 'node:process'
import { string } from '@oclif/core/args'
import { resources } from '../../../resources/resource-table.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { writeFlags } from '../../terminal/command/global-flags.js'
import { dateFlag } from '../../terminal/command/resource-flags.js'
import { missingObject } from '../../terminal/failure/failure.js'
import { serverOf } from '../../terminal/profiles/settings.js'
import { describedId } from '../derived/topic.js'
import { KEYS, keyShape as shape } from '../keys/key-target.js'

const { operator } = resources

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
    await this.send(flags, { method: 'POST', path: KEYS, body, shape })
    const server = serverOf(this.settings(), process.env)
    this.say(
      flags,
      `Keep secret_key now: it cannot be shown again. They save it on their machine with:\npayctl profiles add work --server ${server} --key-file -`,
    )
  }
}
