import { rails } from '../../../gateways/registry/rails.js'
import type { JsonObject } from '../../../schema/json.js'
import { PayctlCommand } from '../../terminal/command.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { writeFlags } from '../../terminal/global-flags.js'
import { promptsFor } from '../../terminal/prompts.js'
import {
  CARD_ENTRY_WORDS,
  flagOf,
  givenSecret,
  promptFor,
  secretFlags,
  settingFlags,
} from './gateway-secrets.js'
import { gatewayArgument, gatewayPath, gatewayShape as shape } from './gateway-target.js'

export class GatewaysUpdate extends PayctlCommand {
  static override summary = 'give a gateway new credentials, another address or merchant'
  static override description =
    'Settings that are not given stay as they are. Another address or merchant needs the credentials anew: the old ones are never sent there. ' +
    'Credentials are sealed under the key file and never shown; those of the other mode are refused. ' +
    'The change fires the event gateway. On a terminal, prompts ask for credentials that are needed. Then: gateways test.'
  static override usage = 'gateways update GATEWAY [flags]'
  static override examples = [
    'payctl gateways update up --env live --secret-key-file key.txt',
    'payctl gateways update up --env live --merchant acct_0V8c… --secret-key-file key.txt',
  ]
  static override args = { gateway: gatewayArgument }
  static override flags = { ...settingFlags, ...secretFlags, ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(GatewaysUpdate)
    const path = await gatewayPath(args.gateway, (request) => this.ask(flags, request))
    const { kind } = (await this.ask(flags, { method: 'GET', path })).body
    const rail = rails[String(kind)]
    if (!rail) throw new UsageError(`There is no rail ${String(kind)}`)
    const body: JsonObject = {
      ...(flags['base-url'] !== undefined && { base_url: flags['base-url'] }),
      ...(flags.merchant !== undefined && { merchant: flags.merchant }),
      ...(flags.numbers !== undefined && { numbers: flags.numbers }),
      ...(flags['card-entry'] !== undefined && { card_entry: flags['card-entry'] }),
    }
    const credentials: JsonObject = {}
    for (const secret of rail.secrets) {
      const value = await givenSecret(flags, secret, this.sources(flags))
      if (value !== undefined) credentials[secret.name] = value
    }
    const prompts = promptsFor(flags['no-input'])
    const needsCredentials = Object.keys(body).length === 0 || 'base_url' in body || 'merchant' in body
    if (prompts && needsCredentials && Object.keys(credentials).length === 0)
      for (const secret of rail.secrets.filter(({ required }) => required))
        credentials[secret.name] = String(
          await prompts.value(promptFor(flagOf(secret), secret.doc, !secret.isPublic)),
        )
    if (Object.keys(credentials).length > 0) body.credentials = credentials
    if (Object.keys(body).length === 0)
      throw new UsageError(
        'Nothing to change: give credentials, --base-url, --merchant, --numbers or --card-entry',
      )
    if (flags['card-entry']) this.say(flags, CARD_ENTRY_WORDS)
    await this.send(flags, { method: 'PUT', path, body, shape })
  }
}
