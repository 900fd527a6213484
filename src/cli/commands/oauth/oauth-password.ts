import { string } from '@oclif/core/args'
import { resources } from '../../../resources/resource-table.js'
import { flagsOf } from '../../../schema/flag-description.js'
import type { GivenFlags } from '../../terminal/command/collect-input.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { writeFlags } from '../../terminal/command/global-flags.js'
import { itemPath } from '../../terminal/command/item-path.js'
import { flagsFor } from '../../terminal/command/resource-flags.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { shapeOf } from '../../terminal/input/shape.js'

const resource = resources.oauth_user
const descriptions = flagsOf(registry, resource, 'create').filter(({ name }) => name === 'password')

export class OauthPassword extends PayctlCommand {
  static override summary = 'give a user a new password; it ends their sessions'
  static override usage = 'oauth users password USER [flags]'
  static override examples = [
    'payctl oauth users password user_0V8c…',
    'payctl oauth users password user_0V8c… --password - < password.txt',
  ]
  static override args = { user: string({ required: true, description: 'id of the user' }) }
  static override flags = { ...flagsFor(descriptions), ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(OauthPassword)
    const given: GivenFlags = flags
    const body = await this.collect(flags, descriptions, given)
    const path = itemPath(resource.plural, args.user)
    await this.send(flags, { method: 'PUT', path, body, shape: shapeOf(registry, resource) })
  }
}
