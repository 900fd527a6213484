import type { JsonObject } from '../../terminal/client/client.js'
import { writeFlags } from '../../terminal/command/global-flags.js'
import { dateFlag, durationFlag } from '../../terminal/command/resource-flags.js'
import { KeyCommand, keyArgument, keyPath, keyShape as shape } from './key-target.js'

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
