import { string } from '@oclif/core/args'
import type { JsonObject } from '../../terminal/client/client.js'
import { formatOf } from '../../terminal/command/global-flags.js'
import { prose, shapeless } from '../../terminal/input/shape.js'
import { KEPT_SETTINGS } from '../../terminal/start/configuration.js'
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

export class ConfigUnset extends ConfigCommand {
  static override summary = 'reset a setting to its default, or remove an alias'
  static override usage = 'config unset NAME'
  static override examples = ['payctl config unset output', 'payctl config unset alias.today']
  static override args = { name: string({ required: true, description: 'as config list shows it' }) }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConfigUnset)
    const { name } = args
    let shown: JsonObject = { name }
    await this.change(({ settings, aliases, refused }) => {
      if (name.startsWith(ALIAS)) {
        const alias = name.slice(ALIAS.length)
        shown = shownAlias(alias, aliasNamed(aliases, alias))
        return { settings, aliases: without(aliases, alias) }
      }
      // An unknown setting is not among `settings`, so saving the other settings removes it from the file.
      if (!refused.includes(name)) shown = shownSetting(settingNamed(name), { settings: {} })
      return { settings: without(settings, name), aliases }
    })
    if (formatOf(flags) !== 'table') await this.print(flags, shown, shapeless)
    this.say(flags, `${name} is unset.`)
  }
}

function without(all: Readonly<Record<string, string>>, name: string) {
  return Object.fromEntries(Object.entries(all).filter(([one]) => one !== name))
}
