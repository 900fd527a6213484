import { string } from '@oclif/core/args'
import { formatMoney } from '../../../schema/money.js'
import type { JsonObject } from '../../terminal/client/client.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { shownKey } from '../../terminal/profiles/credential.js'
import type { Profile, Profiles } from '../../terminal/profiles/profile.js'
import { changeProfiles, loadProfiles } from '../../terminal/profiles/profile-store.js'
import { homeOf, NO_PROFILE, withoutPassword } from '../../terminal/profiles/settings.js'

export const nameArgument = string({ required: true, description: 'name of the profile' })

/** Base of the commands for profiles. They use no profile, so that a broken profile can be repaired. */
export abstract class ProfilesCommand extends PayctlCommand {
  protected override readonly underProfile = false

  protected kept(): Profiles {
    return loadProfiles(homeOf(process.env).value)
  }

  /** Changes the saved profiles. Returns the previous profiles. */
  protected async change(how: (saved: Profiles) => Profiles): Promise<Profiles> {
    let before: Profiles = { profiles: {} }
    await changeProfiles(homeOf(process.env).value, (saved) => {
      before = saved
      return how(saved)
    })
    return before
  }
}

/** Finds a profile by name. Throws a `UsageError` if there is none. */
export function profileNamed({ profiles }: Profiles, name: string): Profile {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (!profile) throw new UsageError(`There is no profile ${name}; see payctl profiles list`)
  return profile
}

/** A profile as printed: with a shortened key, and without password. */
export function shownProfile(name: string, profile: Profile, current: string | undefined): JsonObject {
  const { server, home, database_url, key, key_file, environment, max_amount, verbs } = profile
  return {
    name,
    current: name === (current ?? NO_PROFILE),
    works_on: server ?? (database_url === undefined ? (home ?? null) : withoutPassword(database_url)),
    key: key === undefined ? (key_file ?? null) : shownKey(key),
    environment: environment ?? null,
    max_amount: max_amount === undefined ? null : formatMoney(max_amount),
    verbs: verbs ? verbs.join(', ') : null,
  }
}
