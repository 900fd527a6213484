import { string } from '@oclif/core/args'
import { boolean } from '@oclif/core/flags'
import type { RecordedBackup } from '../../../installation/recorded-backups.js'
import { systemRandom } from '../../../platform/random.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import type { Choices } from '../../terminal/command/global-flags.js'
import { Interrupted, UsageError } from '../../terminal/failure/failure.js'
import { shapeless } from '../../terminal/input/shape.js'
import { OWNER_OF_HOME } from '../../terminal/local/local-rights.js'
import { promptsFor } from '../../terminal/prompts/prompts.js'

export class VaultForget extends PayctlCommand {
  static override summary =
    'remove a retired key from the key file; backups that need it cannot be decrypted afterwards'
  static override description =
    'Names the backups that were made on this machine and need the key. Exports of keys still contain it: destroy those files, too.'
  static readonly rights = OWNER_OF_HOME
  static override usage = 'vault forget KEY [--yes]'
  static override examples = ['payctl vault forget 3f0c9a2be41d']
  static override args = {
    key: string({ required: true, description: 'id of a key, as vault rotate and vault export show it' }),
  }
  static override flags = { yes: boolean({ char: 'y', summary: 'forget it although backups need it' }) }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(VaultForget)
    const { key } = args
    const { backupsUnder, forgetKey } = await import('../../../installation/forget-key.js')
    const { home, databaseUrl } = await this.localSettings(VaultForget.rights)
    const options = { home: home.value, databaseUrl: databaseUrl?.value, random: systemRandom }
    const useless = await backupsUnder(options, key)
    await this.expectYes(flags, key, useless)
    await forgetKey(options, key)
    const values = useless.map(({ path, made_at, found }) => ({ path, made_at, found }))
    await this.print(flags, { key, useless: values }, shapeless)
    if (databaseUrl)
      this.say(flags, 'Dumps that pg_dump made before the key was retired are useless now, too.')
  }

  private async expectYes(flags: Choices, key: string, useless: readonly RecordedBackup[]): Promise<void> {
    if (flags.yes) return
    const paths = useless.map(({ path }) => path).join(', ')
    const what =
      useless.length === 0
        ? `Forgetting ${key} cannot be undone; no backup that is known here needs it`
        : `Forgetting ${key} cannot be undone, and makes these backups useless: ${paths}`
    const prompts = promptsFor(flags['no-input'])
    if (!prompts) throw new UsageError(`${what}: add --yes`)
    if (!(await prompts.confirm(`${what}. Go on?`)))
      throw new Interrupted('Not confirmed; nothing was changed.')
  }
}
