import { prose } from '../../terminal/input/shape.js'
import { ProfilesCommand, shownProfile } from './saved-profiles.js'

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
