import { string } from '@oclif/core/args'
import type { JsonObject } from '../../terminal/client/client.js'
import { formatOf } from '../../terminal/command/global-flags.js'
import { shapeless } from '../../terminal/input/shape.js'
import { ALIAS, aliasNamed, ConfigCommand, settingNamed, shownAlias, shownSetting } from './saved-settings.js'

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
