import { boolean, string } from '@oclif/core/flags'
import { systemClock } from '../../platform/clock.js'
import { systemRandom } from '../../platform/random.js'
import { PayctlCommand } from '../terminal/command/command.js'
import { UsageError } from '../terminal/failure/failure.js'
import { shapeless } from '../terminal/input/shape.js'
import { sqliteHome } from '../terminal/profiles/settings.js'

export class Migrate extends PayctlCommand {
  static override summary = 'bring the databases of an older payctl to the schema of this one'
  static override description =
    'Any other command also migrates a database that it opens, without a copy. Stop every payctl before, because an older one refuses the migrated database. After a crash the database is unchanged.'
  static override usage = 'migrate [--backup <folder> | --no-backup]'
  static override examples = ['payctl migrate', 'payctl migrate --backup /backups/before-upgrade']
  static override flags = {
    backup: string({
      summary: 'new or empty folder to which the databases are copied first, if any lacks a migration',
      helpValue: '<folder>',
      exclusive: ['no-backup'],
    }),
    'no-backup': boolean({ summary: 'there is a backup already' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(Migrate)
    const settings = await this.localSettings('anybody')
    const { describeOlder, migrateHome, olderDatabases } = await import('../../installation/migrate-home.js')
    const options = {
      home: settings.home.value,
      databaseUrl: settings.databaseUrl?.value,
      random: systemRandom,
    }
    const older = await olderDatabases(options)
    if (older.length > 0) {
      if (flags.backup !== undefined) {
        const { backUp } = await import('../../installation/backup.js')
        await backUp({
          home: sqliteHome(settings, 'pg_dump'),
          folder: flags.backup,
          madeBy: this.config.version,
          now: systemClock.now(),
        })
      } else if (!flags['no-backup'])
        throw new UsageError(
          `${older.map(describeOlder).join('; ')}: add --backup <folder>, or --no-backup if you have one`,
        )
    }
    for (const { environment } of older) await migrateHome({ ...options, environment })
    if (flags.backup !== undefined && older.length === 0)
      this.say(flags, 'No backup was made, because no database lacks a migration.')
    const backup = older.length > 0 ? (flags.backup ?? null) : null
    const databases = older.map(({ place }) => place)
    const migrations = [...new Set(older.flatMap(({ names }) => names))]
    await this.print(flags, { object: 'migration', databases, migrations, backup }, shapeless)
  }
}
