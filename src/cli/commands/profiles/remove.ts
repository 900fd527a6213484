import { formatOf } from '../../terminal/command/global-flags.js'
import { shapeless } from '../../terminal/input/shape.js'
import type { Profiles } from '../../terminal/profiles/profile.js'
import { nameArgument, ProfilesCommand, profileNamed, shownProfile } from './saved-profiles.js'

export class ProfilesRemove extends ProfilesCommand {
  static override summary = 'remove a profile, and the key stored in it'
  static override description = 'The key itself stays valid; payctl keys revoke ends it.'
  static override usage = 'profiles remove NAME'
  static override examples = ['payctl profiles remove shop']
  static override args = { name: nameArgument }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ProfilesRemove)
    const before = await this.change((saved) => without(saved, args.name))
    const shown = shownProfile(args.name, profileNamed(before, args.name), before.current)
    if (formatOf(flags) !== 'table') await this.print(flags, shown, shapeless)
    this.say(flags, `${args.name} is removed.`)
  }
}

/** The profiles without the named one. Throws a `UsageError` if there is no profile of this name. */
function without(saved: Profiles, name: string): Profiles {
  profileNamed(saved, name)
  const { current, profiles } = saved
  const left = Object.entries(profiles).filter(([one]) => one !== name)
  return { profiles: Object.fromEntries(left), ...(current !== undefined && current !== name && { current }) }
}
