import { basename, resolve } from 'node:path'
import process from 'node:process'
import { string as argument } from '@oclif/core/args'
import { boolean, string } from '@oclif/core/flags'
import type { CopiedFile, Manifest } from '../../installation/manifest.js'
import type { CheckedBackup } from '../../installation/restore.js'
import { systemClock } from '../../platform/clock.js'
import { systemRandom } from '../../platform/random.js'
import type { JsonObject } from '../../schema/json.js'
import { PayctlCommand } from '../terminal/command/command.js'
import { confirmByName } from '../terminal/command/confirm-live.js'
import type { Choices } from '../terminal/command/global-flags.js'
import { EXIT } from '../terminal/failure/exit-codes.js'
import { Interrupted, UsageError } from '../terminal/failure/failure.js'
import { prose } from '../terminal/input/shape.js'
import { OWNER_OF_HOME } from '../terminal/local/local-rights.js'
import { sqliteHome } from '../terminal/profiles/settings.js'
import { promptsFor } from '../terminal/prompts/prompts.js'

export class Restore extends PayctlCommand {
  static override summary = 'replace the databases by those of a backup, after all its files were checked'
  static override description =
    'Existing databases are renamed, never deleted. Stop payctl serve first. Import the keys before with vault import.'
  static readonly rights = OWNER_OF_HOME
  static override usage = 'restore FOLDER [--yes] [--confirm <folder>]'
  static override examples = [
    'payctl restore /backups/2031-01-01 --verify',
    'payctl restore /backups/2031-01-01 --yes',
    'payctl restore /backups/2031-01-01 --confirm 2031-01-01',
  ]
  static override args = { folder: argument({ required: true, description: 'folder of a backup' }) }
  static override flags = {
    yes: boolean({ char: 'y', summary: 'replace existing databases; the live one needs --confirm' }),
    confirm: string({
      summary: 'name of the folder; confirms without a terminal that the live database is replaced, too',
      helpValue: '<folder>',
    }),
    verify: boolean({ summary: 'only check the backup and prove the books in it, without restoring' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Restore)
    const { folder } = args
    const home = sqliteHome(await this.localSettings(Restore.rights), 'pg_restore')
    const { restore, withBackup } = await import('../../installation/restore.js')
    await withBackup(home, folder, async (backup) => {
      if (flags.verify) return await this.prove(flags, home, backup)
      const { manifest, replaces, replacesLive } = backup
      const what = `Restoring the backup of ${manifest.made_at} replaces ${replaces.join(' and ')}`
      if (replacesLive) await confirmByName(what, [basename(resolve(folder))], flags, this.prompts(flags))
      else if (replaces.length > 0) await this.expectYes(flags, what)
      const aside = await restore({ home, clock: systemClock, random: systemRandom }, backup)
      const values = manifest.files.map((file) => ({ ...shownOf(manifest, file), restored: true }))
      await this.print(flags, { object: 'list', values }, prose)
      for (const path of aside) this.say(flags, `The previous file is now ${path}`)
    })
  }

  /** Checks the books of each copy as `payctl verify` does, and prints their violations. */
  private async prove(flags: Choices, home: string, backup: CheckedBackup): Promise<void> {
    const [{ makeProvable }, { localClient }] = await Promise.all([
      import('../../installation/restore.js'),
      import('../terminal/local/local-client.js'),
    ])
    await makeProvable(home, backup)
    const { manifest, copies } = backup
    const values: JsonObject[] = []
    for (const file of manifest.files) {
      const environment = { value: file.environment, from: 'restore' }
      const settings = { ...this.settings(), home: { value: copies, from: 'restore' }, environment }
      const client = await localClient(settings, { examines: true })
      try {
        const { body } = await client.send({ method: 'GET', path: '/admin/verify' })
        const { examined = 0, found = 0, findings = [] } = body
        values.push({ ...shownOf(manifest, file), restored: false, examined, found, findings })
      } finally {
        await client.close()
      }
    }
    await this.print(flags, { object: 'list', values }, prose)
    if (values.some(({ found }) => found !== 0)) process.exitCode = EXIT.partly
  }

  private async expectYes(flags: Choices, what: string): Promise<void> {
    if (flags.yes) return
    const prompts = promptsFor(flags['no-input'])
    if (!prompts) throw new UsageError(`${what}: add --yes`)
    if (!(await prompts.confirm(`${what}. Go on?`)))
      throw new Interrupted('Not confirmed; nothing was changed.')
  }
}

function shownOf({ made_at }: Manifest, { environment, bytes }: CopiedFile): JsonObject {
  return { environment, bytes, made_at }
}
