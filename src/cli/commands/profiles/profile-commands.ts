import { formatOf } from '../../terminal/command/global-flags.js'
import { prose, shapeless } from '../../terminal/input/shape.js'
import type { Profiles } from '../../terminal/profiles/profile.js'
import { NO_PROFILE } from '../../terminal/profiles/settings.js'
import { nameArgument, ProfilesCommand, profileNamed, shownProfile } from './saved-profiles.js'

export class ProfilesList extends ProfilesCommand {
  static override summary = 'list the saved profiles, with the one in use'
  static override usage = 'profiles list [flags]'
  static override examples = ['payctl profiles list', 'payctl profiles list --json']

  async run(): Promise<void> {
    const { flags } = await this.parse(ProfilesList)
    const { profiles, current } = this.kept()
    const values = Object.entries(profiles).map(([name, profile]) => shownProfile(name, profile, current))
    await this.print(flags, { object: 'list', values }, prose)
  }
}

export class ProfilesUse extends ProfilesCommand {
  static override summary = 'use a profile for all commands that name no other one'
  static override description = `The profile ${NO_PROFILE} has only variables and defaults; it always exists.`
  static override usage = 'profiles use NAME'
  static override examples = ['payctl profiles use shop', `payctl profiles use ${NO_PROFILE}`]
  static override args = { name: nameArgument }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ProfilesUse)
    const { name } = args
    const isNone = name === NO_PROFILE
    const saved = await this.change((before) => {
      if (!isNone) profileNamed(before, name)
      return { profiles: before.profiles, ...(!isNone && { current: name }) }
    })
    const profile = isNone ? {} : profileNamed(saved, name)
    if (formatOf(flags) !== 'table') await this.print(flags, shownProfile(name, profile, name), shapeless)
    this.say(flags, `Commands use ${name} now.`)
  }
}

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
