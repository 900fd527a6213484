import { boolean, string } from '@oclif/core/flags'
import type { JsonObject } from '../../terminal/client/client.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { writeFlags } from '../../terminal/command/global-flags.js'
import { dateFlag, durationFlag } from '../../terminal/command/resource-flags.js'
import { KEYS, KeyCommand, keyArgument, keyPath, keyShape as shape } from './key-target.js'

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

export class KeysRotate extends KeyCommand {
  static override summary = 'replace a key by a new one of the same permissions'
  static override usage = 'keys rotate [KEY] [flags]'
  static override examples = ['payctl keys rotate key_0V8c…', 'payctl keys rotate key_0V8c… --overlap 7d']
  static override args = { key: keyArgument }
  static override flags = {
    overlap: durationFlag({
      summary: 'how long the old key stays valid, at most 30d; it is revoked at once unless given',
      exclusive: ['expires-at'],
    }),
    'expires-at': dateFlag({ summary: 'until when the old key stays valid (UTC), instead; within 30 days' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(KeysRotate)
    const key = await this.keyFor(flags, args.key, 'replace')
    const { overlap, 'expires-at': until } = flags
    const body: JsonObject = {
      ...(overlap !== undefined && { overlap }),
      ...(until !== undefined && { expires_at: until }),
    }
    await this.send(flags, { method: 'POST', path: `${keyPath(key)}/rotate`, body, shape })
    this.say(flags, 'Keep secret_key now: it cannot be shown again.')
  }
}

export class KeysRevoke extends KeyCommand {
  static override summary = 'revoke a key at once; it stays listed'
  static override usage = 'keys revoke [KEY] [flags]'
  static override examples = ['payctl keys revoke', 'payctl keys revoke key_0V8c…']
  static override args = { key: keyArgument }
  static override flags = writeFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(KeysRevoke)
    const key = await this.keyFor(flags, args.key, 'revoke')
    await this.send(flags, { method: 'DELETE', path: keyPath(key), shape })
  }
}
