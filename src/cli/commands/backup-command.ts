import { string } from '@oclif/core/args'
import { systemClock } from '../../platform/clock.js'
import { PayctlCommand } from '../terminal/command/command.js'
import { prose } from '../terminal/input/shape.js'
import { OWNER_OF_HOME } from '../terminal/local/local-rights.js'
import { sqliteHome } from '../terminal/profiles/settings.js'

export class Backup extends PayctlCommand {
  static override summary =
    'copy the databases of this machine, attached files included, while they are in use'
  static override description =
    'Copies both environments, with a checksum of each file. Keys are not included: export them separately, once, with vault export.'
  static readonly rights = OWNER_OF_HOME
  static override usage = 'backup FOLDER'
  static override examples = [
    'payctl backup /backups/2031-01-01',
    'payctl vault export /elsewhere/payctl.keys',
  ]
  static override args = { folder: string({ required: true, description: 'new or empty folder' }) }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Backup)
    const { backUp } = await import('../../installation/backup.js')
    const { files, keys } = await backUp({
      home: sqliteHome(await this.localSettings(Backup.rights), 'pg_dump'),
      folder: args.folder,
      madeBy: this.config.version,
      now: systemClock.now(),
    })
    const values = files.map(({ environment, name, bytes, sha256 }) => ({ environment, name, bytes, sha256 }))
    await this.print(flags, { object: 'list', values }, prose)
    this.say(
      flags,
      `To read it the keys ${keys.join(', ')} are needed; payctl vault export keeps them elsewhere.`,
    )
  }
}
