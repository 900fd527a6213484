import { shellWord } from '../../../platform/shell-word.js'
import { UsageError } from '../failure/failure.js'
import { type Profiles, readProfiles } from './profile.js'
import { changeSettings, readSettings, settingsPath } from './settings-file.js'

/** Name of the settings file with the profiles of a home, which may contain keys. */
const NAME = 'profiles'

/** Reads the profiles of a home. Throws a `UsageError` for a file that others can read or that is damaged. */
export function loadProfiles(home: string): Profiles {
  return profilesIn(home, readSettings(home, NAME))
}

/**
 * Changes the profiles of a home under a lock. `change` returns the new profiles, or throws to keep the old profiles.
 */
export async function changeProfiles(home: string, change: (saved: Profiles) => Profiles): Promise<void> {
  await changeSettings(home, NAME, (text) => {
    const { current, profiles } = change(profilesIn(home, text))
    return { profiles, ...(current !== undefined && { current }) }
  })
}

function profilesIn(home: string, text: string | undefined): Profiles {
  if (text === undefined) return { profiles: {} }
  const profiles = readProfiles(text)
  if (!profiles)
    throw new UsageError(
      `The file ${settingsPath(home, NAME)} is damaged; fix it, or remove it and add profiles anew: rm ${shellWord(settingsPath(home, NAME))}`,
    )
  return profiles
}
