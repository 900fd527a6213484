import { prose } from '../../terminal/input/shape.js'
import { KEPT_SETTINGS } from '../../terminal/start/configuration.js'
import { ConfigCommand, shownAlias, shownSetting } from './saved-settings.js'

export class ConfigList extends ConfigCommand {
  static override summary = 'list settings and aliases, and where each comes from'
  static override usage = 'config list [flags]'
  static override examples = ['payctl config list', 'payctl config list --json']

  async run(): Promise<void> {
    const { flags } = await this.parse(ConfigList)
    const kept = this.kept()
    const values = [
      ...KEPT_SETTINGS.map((setting) => shownSetting(setting, kept)),
      ...Object.entries(kept.aliases).map(([name, words]) => shownAlias(name, words)),
    ]
    await this.print(flags, { object: 'list', values }, prose)
  }
}
