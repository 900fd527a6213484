import { restore, withBackup } from '../../src/installation/restore.js'
import { systemClock } from '../../src/platform/clock.js'
import { systemRandom } from '../../src/platform/random.js'

/** Restores a backup into its home; returns the names of the files that were moved aside. */
export async function restoreBackup(home: string, folder: string): Promise<readonly string[]> {
  const options = { home, clock: systemClock, random: systemRandom }
  return await withBackup(home, folder, (backup) => restore(options, backup))
}

/** Runs the checks of `payctl restore` on a backup, without changes. */
export async function checkBackup(home: string, folder: string): Promise<void> {
  await withBackup(home, folder, async () => undefined)
}
