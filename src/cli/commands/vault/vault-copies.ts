import { string } from '@oclif/core/args'
import { systemRandom } from '../../../platform/random.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { shapeless } from '../../terminal/input/shape.js'
import { OWNER_OF_HOME } from '../../terminal/local/local-rights.js'
import { newPassphraseFrom, passphraseFlags, passphraseFrom } from './passphrase.js'

export class VaultExport extends PayctlCommand {
  static override summary =
    'write the keys of encrypted card and account numbers to a file, encrypted with a passphrase'
  static override description =
    'Store this file apart from the backups. With both and the passphrase, all numbers can be read. Without the keys, the numbers in a backup are lost.'
  static readonly rights = OWNER_OF_HOME
  static override usage = 'vault export FILE [--passphrase-file <file>]'
  static override examples = ['payctl vault export /elsewhere/payctl.keys']
  static override args = {
    file: string({ required: true, description: 'new file; missing folders of its path are made' }),
  }
  static override flags = passphraseFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(VaultExport)
    const { exportKeys } = await import('../../../installation/keys.js')
    const { MIN_PASSPHRASE: SHORTEST } = await import('../../../installation/key-export.js')
    const { home } = await this.localSettings(VaultExport.rights)
    const passphrase = await newPassphraseFrom(flags, this.stdin)
    if (passphrase.length < SHORTEST)
      throw new UsageError(`Expected a passphrase of ${SHORTEST} characters at least`)
    const keys = exportKeys(home.value, args.file, passphrase, systemRandom)
    await this.print(flags, { file: args.file, keys: [...keys] }, shapeless)
  }
}

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
