import { string } from '@oclif/core/args'
import { PayctlCommand } from '../../terminal/command/command.js'
import { shapeless } from '../../terminal/input/shape.js'
import { OWNER_OF_HOME } from '../../terminal/local/local-rights.js'
import { passphraseFlags, passphraseFrom } from './passphrase.js'

export class VaultImport extends PayctlCommand {
  static override summary =
    'create the key file of this home from exported keys; an existing file is never replaced'
  static readonly rights = OWNER_OF_HOME
  static override usage = 'vault import FILE [--passphrase-file <file>]'
  static override examples = ['payctl vault import /elsewhere/payctl.keys']
  static override args = { file: string({ required: true, description: 'file of vault export' }) }
  static override flags = passphraseFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(VaultImport)
    const { importKeys } = await import('../../../installation/keys.js')
    const { home } = await this.localSettings(VaultImport.rights)
    const keys = importKeys(home.value, args.file, await passphraseFrom(flags, this.stdin))
    await this.print(flags, { home: home.value, keys: [...keys] }, shapeless)
  }
}
