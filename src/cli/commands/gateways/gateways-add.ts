import { string as argument } from '@oclif/core/args'
import { boolean, string } from '@oclif/core/flags'
import { type RailEntry, type RailSecret, rails } from '../../../gateways/registry/rails.js'
import { adminOperations } from '../../../resources/admin/admin-operations.js'
import type { JsonObject } from '../../../schema/json.js'
import type { ClientRequest } from '../../terminal/client/client.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { LIVE } from '../../terminal/command/confirm-live.js'
import { type Choices, formatOf, writeFlags } from '../../terminal/command/global-flags.js'
import { dateFlag } from '../../terminal/command/resource-flags.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { variableOf } from '../../terminal/input/secret-sources.js'
import { promptsFor } from '../../terminal/prompts/prompts.js'
import { connectEndpoint, sayChecks } from './connect-endpoint.js'
import {
  CARD_ENTRY_WORDS,
  flagOf,
  givenSecret,
  promptFor,
  secretFlags,
  settingFlags,
} from './gateway-secrets.js'
import { GATEWAYS, gatewayShape as shape } from './gateway-target.js'
import { failedChecks } from './shown-checks.js'

export class GatewaysAdd extends PayctlCommand {
  static override summary = 'connect a processor; its credentials are prompted for, or read from files'
  static override description =
    'Credentials are encrypted with the key file and never shown. The endpoint for notifications is created at the gateway if ' +
    'this installation has a public address, and a test shows what will work and what will not. A terminal prompts for missing values, ' +
    'and offers to route new payments to the gateway at once. Without a terminal, use gateways route.'
  static override usage = 'gateways add KIND --name <name> [flags]'
  static override examples = [
    'payctl gateways add peer --env live --name up --base-url https://pay.example.com --secret-key-file key.txt',
    'payctl gateways add peer --name up --base-url https://pay.example.com --secret-key - < key.txt',
  ]
  static override args = {
    kind: argument({ required: true, description: 'the rail', options: Object.keys(rails) }),
  }
  static override flags = {
    name: string({
      summary: 'name that routes and transactions use for it; its kind unless given',
      helpValue: '<name>',
    }),
    since: dateFlag({
      summary: 'start of the settlements, payouts and disputes to read (UTC); now unless given',
    }),
    ...settingFlags,
    ...secretFlags,
    endpoint: boolean({
      default: true,
      allowNo: true,
      summary: 'create the endpoint for its notifications, unless the secret of one is given',
    }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(GatewaysAdd)
    const rail = rails[args.kind]
    if (!rail) throw new UsageError(`There is no rail ${args.kind}`)
    const given: { readonly [flag: string]: unknown } = flags
    const prompts = promptsFor(flags['no-input'])
    const credentials = await this.credentials(flags, given, rail)
    const baseUrl =
      flags['base-url'] ??
      (rail.baseUrl === undefined && prompts
        ? await prompts.value(promptFor('base-url', 'its address'))
        : undefined)
    const body: JsonObject = {
      kind: args.kind,
      name: flags.name ?? args.kind,
      credentials,
      ...(baseUrl !== undefined && { base_url: baseUrl }),
      ...(flags.merchant !== undefined && { merchant: flags.merchant }),
      ...(flags.numbers !== undefined && { numbers: flags.numbers }),
      ...(flags['card-entry'] !== undefined && { card_entry: flags['card-entry'] }),
      ...(flags.since !== undefined && { since: flags.since }),
    }
    if (flags['card-entry']) this.say(flags, CARD_ENTRY_WORDS)
    const request = { method: 'POST', path: GATEWAYS, body } as const
    if (flags['dry-run']) return void (await this.send(flags, { ...request, shape }))
    const { body: added } = await this.ask(flags, request)
    // If the secret of the notification endpoint is given, the endpoint exists already.
    await this.begin(flags, added, flags.endpoint && credentials['notification_secret'] === undefined)
  }

  /** Creates the endpoint, tests the new gateway, and offers to route new payments to it. */
  private async begin(choices: Choices, added: JsonObject, hasEndpoint: boolean): Promise<void> {
    const path = `${GATEWAYS}/${String(added.id)}`
    const name = String(added.name)
    const speaking = {
      ask: (one: ClientRequest) => this.ask(choices, one),
      say: (text: string) => this.say(choices, text),
    }
    if (hasEndpoint) await connectEndpoint(path, name, speaking)
    const tested = await sayChecks(path, speaking)
    // For people, the results of the checks are printed already.
    await this.print(choices, formatOf(choices) === 'table' ? { ...tested, checks: null } : tested, shape)
    if (failedChecks(tested).length === 0) await this.route(choices, name)
  }

  private async credentials(
    choices: Choices,
    given: { readonly [flag: string]: unknown },
    { secrets }: RailEntry,
  ): Promise<JsonObject> {
    const credentials: JsonObject = {}
    for (const secret of secrets) {
      const value = await this.secret(choices, given, secret)
      if (value !== undefined) credentials[secret.name] = value
    }
    return credentials
  }

  /** A secret from its flag, file or variable, or from a prompt. */
  private async secret(
    choices: Choices,
    given: { readonly [flag: string]: unknown },
    secret: RailSecret,
  ): Promise<string | undefined> {
    const flag = flagOf(secret)
    const kept = await givenSecret(given, secret, this.sources(choices))
    if (kept) return kept
    const prompts = promptsFor(choices['no-input'])
    if (!prompts) {
      if (!secret.required) return undefined
      throw new UsageError(`Missing --${flag}-file (or --${flag} -, or ${variableOf([secret.name])})`)
    }
    return secret.required
      ? String(await prompts.value(promptFor(flag, secret.doc, !secret.isPublic)))
      : undefined
  }

  /** Offers to route new payments to the new gateway. */
  private async route(choices: Choices, name: string): Promise<void> {
    const prompts = promptsFor(choices['no-input'])
    if (!prompts || !(await prompts.confirm(`Send all new payments to ${name}?`, true))) return
    const { path, method } = adminOperations.set_gateway_routes
    // The prompt has described the change, so the live environment needs no second confirmation.
    const request = { method, path: `/${path}`, body: { default: name } }
    await this.ask({ ...choices, confirm: LIVE }, request)
  }
}
