import { string } from '@oclif/core/flags'
import { systemClock } from '../../../platform/clock.js'
import { systemRandom } from '../../../platform/random.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { shapeless } from '../../terminal/input/shape.js'
import { warnOf } from '../../terminal/local/local-client.js'
import { OWNER_OF_ENVIRONMENT } from '../../terminal/local/local-rights.js'
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

export class BooksAccept extends PayctlCommand {
  static override summary = 'accept the books as they are, although commits are missing'
  static override description =
    'Use it only if there is no newer backup. The acceptance is sealed in the books, with its time and reason.'
  static readonly rights = OWNER_OF_ENVIRONMENT
  static override usage = 'books accept --reason TEXT'
  static override examples = ['payctl books accept --env live --reason "restored the disk of Monday"']
  static override flags = {
    reason: string({
      required: true,
      summary: 'why, for those who read the books later',
      helpValue: '<text>',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(BooksAccept)
    const { acceptBooks } = await import('../../../installation/accept-books.js')
    const { home, databaseUrl, environment } = await this.localSettings(BooksAccept.rights)
    const place = { home: home.value, databaseUrl: databaseUrl?.value, environment: environment.value }
    const accepted = await acceptBooks(
      { ...place, random: systemRandom, clock: systemClock, reportBooks: warnOf },
      flags.reason,
    )
    await this.print(flags, { ...accepted, environment: environment.value }, shapeless)
  }
}
