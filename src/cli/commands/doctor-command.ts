import process from 'node:process'
import type { CheckResult } from '../../installation/checks/check-result.js'
import { systemClock } from '../../platform/clock.js'
import { PayctlCommand } from '../terminal/command/command.js'
import { headFlags, headPlaces } from '../terminal/command/head-flags.js'
import { EXIT } from '../terminal/failure/exit-codes.js'
import { UsageError } from '../terminal/failure/failure.js'
import { prose } from '../terminal/input/shape.js'
import type { Profiles } from '../terminal/profiles/profile.js'
import { homeOf } from '../terminal/profiles/settings.js'
import { expectKnownSettings, loadConfiguration } from '../terminal/start/configuration.js'

export class Doctor extends PayctlCommand {
  static override summary =
    'check everything that an operator is responsible for, and name the command that fixes each problem'
  static override description =
    'Checks permissions, key file, disk, and for each environment the database, migrations, clock, overdue notifications and ' +
    'transactions whose outcome is not known. It changes no data. The exit code is 8 if a check failed.'
  static override usage = 'doctor [flags]'
  static override examples = ['payctl doctor', 'payctl doctor --json']
  static override flags = headFlags

  private readonly damage: string[] = []

  /** Saved profiles; none if their file is damaged, which the command reports as a finding. */
  protected override savedProfiles(home: string): Profiles {
    return this.withoutDamage(() => super.savedProfiles(home)) ?? { profiles: {} }
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(Doctor)
    const { home, databaseUrl, publicAddress } = await this.localSettings('anybody')
    const { examine } = await import('../../installation/doctor.js')
    const found = await examine({
      home: home.value,
      databaseUrl: databaseUrl?.value,
      publicAddress: publicAddress?.value,
      now: systemClock.now(),
      heads: headPlaces(flags),
    })
    const all = [...this.settingsChecks(homeOf(process.env).value), ...found]
    await this.print(flags, { object: 'list', values: all.map((finding) => ({ ...finding })) }, prose)
    if (all.some(({ state }) => state === 'failed')) process.exitCode = EXIT.partly
  }

  /**
   * Checks the files with the settings of this user. Returns a single passed result, or a failed result for each
   * damage.
   */
  private settingsChecks(home: string): readonly CheckResult[] {
    this.withoutDamage(() => expectKnownSettings(loadConfiguration(home), home))
    const failures = this.damage.map(
      (found) => ({ check: CHECK, state: 'failed', found, fix: null }) as const,
    )
    return failures.length > 0 ? failures : [{ check: CHECK, state: 'ok', found: 'are readable', fix: null }]
  }

  private withoutDamage<T>(read: () => T): T | undefined {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      this.damage.push(error.message)
      return undefined
    }
  }
}

const CHECK = 'settings'
