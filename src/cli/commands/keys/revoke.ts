import { writeFlags } from '../../terminal/command/global-flags.js'
import { KeyCommand, keyArgument, keyPath, keyShape as shape } from './key-target.js'

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
