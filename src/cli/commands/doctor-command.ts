import process from 'node:process'
import { systemClock } from '../../platform/clock.js'
import { PayctlCommand } from '../terminal/command.js'
import { EXIT } from '../terminal/failure/exit-codes.js'
import { headFlags, headPlaces } from '../terminal/head-flags.js'
import { prose } from '../terminal/input/shape.js'

export class Doctor extends PayctlCommand {
  static override summary =
    'check everything that an operator is responsible for, and name the command that fixes each problem'
  static override description =
    'Permissions, key file, disk, and for each environment the database, migrations, clock, overdue notifications and ' +
    'transactions whose outcome is not known. Nothing is changed. Exit 8 when something failed.'
  static override usage = 'doctor [flags]'
  static override examples = ['payctl doctor', 'payctl doctor --json']
  static override flags = headFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(Doctor)
    const { home, databaseUrl } = this.localSettings()
    const { examine } = await import('../../installation/doctor.js')
    const found = await examine({
      home: home.value,
      databaseUrl: databaseUrl?.value,
      now: systemClock.now(),
      heads: headPlaces(flags),
    })
    await this.print(flags, { object: 'list', values: found.map((finding) => ({ ...finding })) }, prose)
    if (found.some(({ state }) => state === 'failed')) process.exitCode = EXIT.partly
  }
}
