import { formatOf } from '../../terminal/global-flags.js'
import { shapeless } from '../../terminal/input/shape.js'
import { nameArgument, ProfilesCommand, profileNamed, shownProfile } from './saved-profiles.js'

export class ProfilesRemove extends ProfilesCommand {
  static override summary = 'remove a profile, and the key that it holds'
  static override description = 'The key itself stays valid; payctl keys revoke ends it.'
  static override usage = 'profiles remove NAME'
  static override examples = ['payctl profiles remove shop']
  static override args = { name: nameArgument }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ProfilesRemove)
    const kept = this.kept()
    const profile = profileNamed(kept, args.name)
    const left = Object.entries(kept.profiles).filter(([name]) => name !== args.name)
    const { current } = kept
    await this.keep({
      profiles: Object.fromEntries(left),
      ...(current !== undefined && current !== args.name && { current }),
    })
    if (formatOf(flags) !== 'table')
      await this.print(flags, shownProfile(args.name, profile, kept.current), shapeless)
    this.say(flags, `${args.name} is removed.`)
  }
}
