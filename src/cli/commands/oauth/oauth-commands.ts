import type { Command } from '@oclif/core/command'
import { resources } from '../../../resources/resource-table.js'
import { createCommand } from '../derived/create-command.js'
import { deleteCommand } from '../derived/delete.js'
import { getCommand } from '../derived/get-command.js'
import { listCommand } from '../derived/list-objects.js'
import { updateCommand } from '../derived/update-command.js'

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
