import { string } from '@oclif/core/args'
import { formatOf } from '../../terminal/command/global-flags.js'
import { shapeless } from '../../terminal/input/shape.js'
import { ALIAS, aliasNamed, ConfigCommand, settingNamed, shownAlias, shownSetting } from './saved-settings.js'

export class ConfigGet extends ConfigCommand {
  static override summary = 'show the value of a setting or an alias'
  static override usage = 'config get NAME [flags]'
  static override examples = ['payctl config get output', 'payctl config get alias.today']
  static override args = { name: string({ required: true, description: 'as config list shows it' }) }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConfigGet)
    const found = this.found(args.name)
    if (formatOf(flags) === 'table') await this.write(flags, `${found.value}\n`)
    else await this.print(flags, found, shapeless)
  }

  private found(name: string) {
    const kept = this.kept()
    if (!name.startsWith(ALIAS)) return shownSetting(settingNamed(name), kept)
    const alias = name.slice(ALIAS.length)
    return shownAlias(alias, aliasNamed(kept.aliases, alias))
  }
}
