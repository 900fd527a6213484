import process from 'node:process'
import { string as argument } from '@oclif/core/args'
import type { Command } from '@oclif/core/command'
import { string } from '@oclif/core/flags'
import { resources } from '../../../resources/resource-table.js'
import { flagsOf } from '../../../schema/flag-description.js'
import type { GivenFlags } from '../../terminal/command/collect-input.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { writeFlags } from '../../terminal/command/global-flags.js'
import { itemPath } from '../../terminal/command/item-path.js'
import { flagsFor } from '../../terminal/command/resource-flags.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { shapeless, shapeOf } from '../../terminal/input/shape.js'
import { askForTokens } from '../../terminal/oauth/token-endpoint.js'
import { serverOf } from '../../terminal/profiles/settings.js'
import { createCommand } from '../derived/create-command.js'
import { deleteCommand } from '../derived/delete.js'
import { getCommand } from '../derived/get-command.js'
import { listCommand } from '../derived/list-objects.js'
import { updateCommand } from '../derived/update-command.js'

export class OauthToken extends PayctlCommand {
  static override summary = 'exchange a refresh token for a new access token and a new refresh token'
  static override usage = 'oauth token --refresh-token - [flags]'
  static override examples = [
    'payctl oauth token --refresh-token - < refresh-token.txt',
    'payctl oauth token --refresh-token - --server https://pay.example.com --json',
  ]
  static override flags = {
    'refresh-token': string({
      env: 'PAYCTL_REFRESH_TOKEN',
      summary: '(required) the refresh token; - reads a line of standard input',
      helpValue: '-',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(OauthToken)
    const given = flags['refresh-token']
    if (given === undefined) throw new UsageError('Missing --refresh-token - (or PAYCTL_REFRESH_TOKEN)')
    const token = await this.secretOf(flags, 'refresh-token', ['refresh_token'], given)
    const fields = { grant_type: 'refresh_token', refresh_token: token }
    await this.print(flags, await askForTokens(serverOf(this.settings(), process.env), fields), shapeless)
    this.say(flags, 'Keep both now: the refresh token that was sent is used up.')
  }
}

const resource = resources.oauth_user
const descriptions = flagsOf(registry, resource, 'create').filter(({ name }) => name === 'password')

export class OauthPassword extends PayctlCommand {
  static override summary = 'give a user a new password; it ends their sessions'
  static override usage = 'oauth users password USER [flags]'
  static override examples = [
    'payctl oauth users password user_0V8c…',
    'payctl oauth users password user_0V8c… --password - < password.txt',
  ]
  static override args = { user: argument({ required: true, description: 'id of the user' }) }
  static override flags = { ...flagsFor(descriptions), ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(OauthPassword)
    const given: GivenFlags = flags
    const body = await this.collect(flags, descriptions, given)
    const path = itemPath(resource.plural, args.user)
    await this.send(flags, { method: 'PUT', path, body, shape: shapeOf(registry, resource) })
  }
}

const { oauth_grant: grant, oauth_redirect: redirect, oauth_user: user } = resources

/** Commands for the resources of OAuth, by id; created on demand. */
export const oauthCommands: Readonly<Record<string, () => Command.Class>> = {
  'oauth:grants:list': () => listCommand(grant, 'oauth grants'),
  'oauth:grants:get': () => getCommand(grant, 'oauth grants'),
  'oauth:revoke': () => deleteCommand(grant, 'oauth', 'revoke'),
  'oauth:redirects:list': () => listCommand(redirect, 'oauth redirects'),
  'oauth:redirects:add': () => createCommand(redirect, 'oauth redirects', 'add'),
  'oauth:redirects:remove': () => deleteCommand(redirect, 'oauth redirects', 'remove'),
  'oauth:users:list': () => listCommand(user, 'oauth users'),
  'oauth:users:add': () => createCommand(user, 'oauth users', 'add'),
  'oauth:users:update': () => updateCommand(user, 'oauth users'),
  'oauth:users:remove': () => deleteCommand(user, 'oauth users', 'remove'),
}
