import { formatOf } from '../../terminal/command/global-flags.js'
import { shapeless } from '../../terminal/input/shape.js'
import { NO_PROFILE } from '../../terminal/profiles/settings.js'
import { nameArgument, ProfilesCommand, profileNamed, shownProfile } from './saved-profiles.js'

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
