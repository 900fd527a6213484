import { string as argument } from '@oclif/core/args'
import { string } from '@oclif/core/flags'
import { type RailSecret, rails } from '../../../gateways/registry/rails.js'
import { adminOperations } from '../../../resources/admin/admin-operations.js'
import type { JsonObject } from '../../../schema/json.js'
import { PayctlCommand } from '../../terminal/command.js'
import { LIVE } from '../../terminal/confirm-live.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { type Choices, writeFlags } from '../../terminal/global-flags.js'
import { variableOf } from '../../terminal/input/secret-sources.js'
import { promptsFor } from '../../terminal/prompts.js'
import {
  CARD_ENTRY_WORDS,
  flagOf,
  givenSecret,
  promptFor,
  secretFlags,
  settingFlags,
} from './gateway-secrets.js'
import { GATEWAYS, gatewayShape as shape } from './gateway-target.js'

export class GatewaysAdd extends PayctlCommand {
  static override summary = 'connect a processor; its credentials are asked for, or read from files'
  static override description =
    'Credentials are sealed under the key file and never shown. On a terminal what is missing is asked for, the gateway is ' +
    'tried, and new payments may be routed to it at once. Elsewhere: gateways test, then gateways route.'
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
      summary: 'by which routes and transactions name it; its kind unless given',
      helpValue: '<name>',
    }),
    ...settingFlags,
    ...secretFlags,
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(GatewaysAdd)
    const rail = rails[args.kind]
    if (!rail) throw new UsageError(`There is no rail ${args.kind}`)
    const given: { readonly [flag: string]: unknown } = flags
    const prompts = promptsFor(flags['no-input'])
    const credentials: JsonObject = {}
    for (const secret of rail.secrets) {
      const value = await this.secret(flags, given, secret)
      if (value !== undefined) credentials[secret.name] = value
    }
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
    }
    if (flags['card-entry']) this.say(flags, CARD_ENTRY_WORDS)
    const { body: added } = await this.send(flags, { method: 'POST', path: GATEWAYS, body, shape })
    if (!flags['dry-run'] && prompts) await this.begin(flags, added)
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

  /** Tests the new gateway, and offers to route new payments to it. */
  private async begin(choices: Choices, { id, name }: JsonObject): Promise<void> {
    const prompts = promptsFor(choices['no-input'])
    if (!prompts) return
    await this.ask(choices, { method: 'POST', path: `${GATEWAYS}/${String(id)}/test` })
    this.say(choices, `${String(name)} answers, and takes the credentials.`)
    if (!(await prompts.confirm(`Send all new payments to ${String(name)}?`, true))) return
    const { path, method } = adminOperations.set_gateway_routes
    // The answer names what changes, so that live needs no second one.
    const request = { method, path: `/${path}`, body: { default: String(name) } }
    await this.ask({ ...choices, confirm: LIVE }, request)
  }
}
