import { boolean, string } from '@oclif/core/flags'
import type { JsonObject } from '../../terminal/client/client.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { writeFlags } from '../../terminal/command/global-flags.js'
import { dateFlag } from '../../terminal/command/resource-flags.js'
import { KEYS, keyShape as shape } from './key-target.js'

export class KeysCreate extends PayctlCommand {
  static override summary = 'make a secret key; it is shown only once'
  static override usage = 'keys create [flags]'
  static override examples = [
    'payctl keys create --description "web shop"',
    'payctl keys create --processing acct_0V8c… --expires-at 2031-01-01 --json',
  ]
  static override flags = {
    description: string({ summary: 'what the key is for', helpValue: '<text>' }),
    org: string({
      summary: "organization that it exchanges OAuth codes for; the environment's own unless given",
      helpValue: '<id>',
    }),
    manage: boolean({ summary: 'let it do what operators do' }),
    processing: string({
      multiple: true,
      summary: 'narrow it to a processing account; may be repeated',
      helpValue: '<id>',
    }),
    'expires-at': dateFlag({ summary: 'when it expires (UTC)' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(KeysCreate)
    const body: JsonObject = {
      ...(flags.description !== undefined && { description: flags.description }),
      ...(flags.org !== undefined && { org_id: flags.org }),
      ...(flags.manage && { manage: true }),
      ...(flags.processing && { processing_ids: flags.processing }),
      ...(flags['expires-at'] !== undefined && { expires_at: flags['expires-at'] }),
    }
    await this.send(flags, { method: 'POST', path: KEYS, body, shape })
    this.say(flags, 'Keep secret_key now: it cannot be shown again.')
  }
}
