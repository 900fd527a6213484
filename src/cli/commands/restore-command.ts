import { basename, resolve } from 'node:path'
import { string as argument } from '@oclif/core/args'
import { boolean, string } from '@oclif/core/flags'
import { systemClock } from '../../platform/clock.js'
import { datetimeOf } from '../../schema/datetime.js'
import { PayctlCommand } from '../terminal/command.js'
import { confirmByName } from '../terminal/confirm-live.js'
import { Interrupted, UsageError } from '../terminal/failure/failure.js'
import type { Choices } from '../terminal/global-flags.js'
import { prose } from '../terminal/input/shape.js'
import { sqliteHome } from '../terminal/profiles/settings.js'
import { promptsFor } from '../terminal/prompts.js'

export class Restore extends PayctlCommand {
  static override summary = 'put the databases of a backup in place, after checking all of it'
  static override description =
    'Existing databases are renamed, never deleted. Stop payctl serve first; the keys are imported with vault import.'
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
      summary: 'name of the folder: replaces the live database, too, without a terminal',
      helpValue: '<folder>',
    }),
    verify: boolean({ summary: 'only check the backup, and change nothing' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Restore)
    const { folder } = args
    const home = sqliteHome(this.localSettings(), 'pg_restore')
    const { restore, verifyBackup } = await import('../../installation/restore.js')
    const restoring = await verifyBackup(home, folder)
    const { manifest, replaces, replacesLive } = restoring
    const aside: string[] = []
    if (!flags.verify) {
      if (replacesLive)
        await confirmByName(replacing(replaces), [basename(resolve(folder))], flags, this.prompts(flags))
      else if (replaces.length > 0) await this.expectYes(flags, replaces)
      aside.push(...(await restore(home, folder, restoring, datetimeOf(systemClock.now()))))
    }
    const values = manifest.files.map(({ environment, bytes }) => ({
      environment,
      bytes,
      made_at: manifest.made_at,
      restored: !flags.verify,
    }))
    await this.print(flags, { object: 'list', values }, prose)
    for (const path of aside) this.say(flags, `The previous file is now ${path}`)
  }

  private async expectYes(flags: Choices, replaces: readonly string[]): Promise<void> {
    if (flags.yes) return
    const prompts = promptsFor(flags['no-input'])
    const what = replacing(replaces)
    if (!prompts) throw new UsageError(`${what}: add --yes`)
    if (!(await prompts.confirm(`${what}. Go on?`)))
      throw new Interrupted('Not confirmed; nothing was changed.')
  }
}

function replacing(paths: readonly string[]): string {
  return `Restoring replaces ${paths.join(' and ')}`
}
