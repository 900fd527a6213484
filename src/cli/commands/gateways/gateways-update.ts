import { boolean } from '@oclif/core/flags'
import { type RailEntry, rails } from '../../../gateways/registry/rails.js'
import type { JsonObject } from '../../../schema/json.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { type Choices, writeFlags } from '../../terminal/command/global-flags.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { promptsFor } from '../../terminal/prompts/prompts.js'
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
    'Settings without a flag do not change. Another address or merchant needs the credentials anew: the old ones are never sent there. ' +
    'Credentials are encrypted with the key file and never shown; test credentials are refused in live, and live ones in test. ' +
    'The change fires the event gateway. --endpoint replaces the endpoint at the gateway that notifies this installation. A terminal prompts for needed credentials. Afterwards, run gateways test.'
  static override usage = 'gateways update GATEWAY [flags]'
  static override examples = [
    'payctl gateways update up --env live --secret-key-file key.txt',
    'payctl gateways update up --env live --endpoint',
    'payctl gateways update up --env live --merchant acct_0V8c… --secret-key-file key.txt',
  ]
  static override args = { gateway: gatewayArgument }
  static override flags = {
    ...settingFlags,
    ...secretFlags,
    endpoint: boolean({
      summary: 'create the endpoint for its notifications at the gateway anew, and store its secret',
    }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(GatewaysUpdate)
    const path = await gatewayPath(args.gateway, (request) => this.ask(flags, request))
    const { kind } = (await this.ask(flags, { method: 'GET', path })).body
    const rail = rails[String(kind)]
    if (!rail) throw new UsageError(`There is no rail ${String(kind)}`)
    const body = await this.changeOf(flags, rail)
    const isChanged = Object.keys(body).length > 0
    if (!isChanged && !flags.endpoint)
      throw new UsageError(
        'Nothing to change: give credentials, --base-url, --merchant, --numbers, --card-entry or --endpoint',
      )
    if (flags['card-entry']) this.say(flags, CARD_ENTRY_WORDS)
    const change = { method: 'PUT', path, body } as const
    if (!flags.endpoint) return void (await this.send(flags, { ...change, shape }))
    if (isChanged) await this.ask(flags, { ...change, dryRun: flags['dry-run'] })
    await this.send(flags, { method: 'POST', path: `${path}/endpoint`, shape })
  }

  /** Body of the request that changes a gateway; empty if no change is given. */
  private async changeOf(flags: UpdateFlags, { secrets }: RailEntry): Promise<JsonObject> {
    const body: JsonObject = {
      ...(flags['base-url'] !== undefined && { base_url: flags['base-url'] }),
      ...(flags.merchant !== undefined && { merchant: flags.merchant }),
      ...(flags.numbers !== undefined && { numbers: flags.numbers }),
      ...(flags['card-entry'] !== undefined && { card_entry: flags['card-entry'] }),
    }
    const credentials: JsonObject = {}
    for (const secret of secrets) {
      const value = await givenSecret(flags, secret, this.sources(flags))
      if (value !== undefined) credentials[secret.name] = value
    }
    const prompts = promptsFor(flags['no-input'])
    const isMoved = 'base_url' in body || 'merchant' in body
    const needsCredentials = isMoved || (Object.keys(body).length === 0 && !flags.endpoint)
    if (prompts && needsCredentials && Object.keys(credentials).length === 0)
      for (const secret of secrets.filter(({ required }) => required))
        credentials[secret.name] = String(
          await prompts.value(promptFor(flagOf(secret), secret.doc, !secret.isPublic)),
        )
    if (Object.keys(credentials).length > 0) body.credentials = credentials
    return body
  }
}

/** Flags of the command, with those of secrets by their names. */
interface UpdateFlags extends Choices {
  readonly [flag: string]: unknown
  readonly endpoint: boolean
  readonly 'base-url'?: string | undefined
  readonly merchant?: string | undefined
  readonly numbers?: string | undefined
  readonly 'card-entry'?: boolean | undefined
}
