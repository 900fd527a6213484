import { UsageError } from '../failure/failure.js'
import { type Profiles, readProfiles } from './profile.js'
import { readSettings, saveSettings, settingsPath } from './settings-file.js'

/** The name of the file of a home's profiles, which may hold keys. */
const NAME = 'profiles'

/** Reads the profiles of a home. Throws a `UsageError` for a file that others can read or that is damaged. */
export function loadProfiles(home: string): Profiles {
  const text = readSettings(home, NAME)
  if (text === undefined) return { profiles: {} }
  const profiles = readProfiles(text)
  if (!profiles)
    throw new UsageError(
      `The file ${settingsPath(home, NAME)} is damaged; fix it, or remove it and add profiles anew`,
    )
  return profiles
}

/** Saves profiles atomically, readable by their owner only. */
export async function saveProfiles(home: string, { current, profiles }: Profiles): Promise<void> {
  await saveSettings(home, NAME, { profiles, ...(current !== undefined && { current }) })
}
