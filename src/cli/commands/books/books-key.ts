import { string } from '@oclif/core/flags'
import { systemRandom } from '../../../platform/random.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { shapeless } from '../../terminal/input/shape.js'
import { writeTextFile } from '../../terminal/output/file-sink.js'

export class BooksKey extends PayctlCommand {
  static override summary = 'show the public key that checkpoints of the books are verified with'
  static override description =
    'The private half follows from the key file of this home, and stays the same through rotations and restores.'
  static override usage = 'books key [--out FILE]'
  static override examples = ['payctl books key --out books.pem']
  static override flags = { out: string({ summary: 'file for the key in PEM', helpValue: '<file>' }) }

  async run(): Promise<void> {
    const { flags } = await this.parse(BooksKey)
    const [{ publicKeyText, signingKey }, { openVault }] = await Promise.all([
      import('../../../engine/store/books/signing-key.js'),
      import('../../../engine/store/vault/vault.js'),
    ])
    const { home } = await this.localSettings('anybody')
    const vault = openVault(home.value, systemRandom)
    const pem = publicKeyText(signingKey(vault.hash))
    if (flags.out !== undefined) await writeTextFile(flags.out, pem)
    const [, key = ''] = pem.split('\n')
    await this.print(flags, { algorithm: 'ed25519', public_key: key }, shapeless)
  }
}
