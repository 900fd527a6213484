import { string } from '@oclif/core/args'
import { formatOf } from '../../terminal/command/global-flags.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { readAddressText } from '../../terminal/input/address-text.js'
import { shapeless } from '../../terminal/input/shape.js'
import { type Commands, commandNamed } from '../../terminal/start/command-named.js'
import type { KeptSetting } from '../../terminal/start/configuration.js'
import { lineWords } from '../../terminal/start/line-words.js'
import { nearest } from '../../terminal/suggestions/nearest.js'
import { resolvedAliases } from './aliases.js'
import { ALIAS, ConfigCommand, settingNamed, shownAlias, shownSetting } from './saved-settings.js'

/**
 * `payctl config set`. It needs the table of commands, because an alias must stand for a command and must not hide
 * another command.
 */
export function configSetCommand(commands: Commands) {
  return class ConfigSet extends ConfigCommand {
    static override summary = 'save a setting for every command, or an alias for a command'
    static override description =
      'Flags and variables take precedence over settings. Database, server and environment are saved by payctl profiles instead.'
    static override usage = 'config set NAME VALUE'
    static override examples = [
      'payctl config set utc yes',
      'payctl config set output json',
      "payctl config set alias.today 'transactions list --created-after today'",
    ]
    static override args = {
      name: string({ required: true, description: 'as config list shows it, or alias.<name>' }),
      value: string({ required: true, description: 'the value; for an alias, the words that it stands for' }),
    }

    async run(): Promise<void> {
      const { args, flags } = await this.parse(ConfigSet)
      const { name, value } = args
      if (name.startsWith(ALIAS)) {
        const alias = name.slice(ALIAS.length)
        expectAlias(commands, alias, value)
        await this.change((saved) => ({ ...saved, aliases: { ...saved.aliases, [alias]: value } }))
        if (formatOf(flags) !== 'table') await this.print(flags, shownAlias(alias, value), shapeless)
        this.say(flags, `payctl ${alias} now stands for payctl ${value}.`)
        return
      }
      const setting = settingNamed(name)
      const allowed = allowedValue(setting, value)
      await this.change((saved) => ({ ...saved, settings: { ...saved.settings, [name]: allowed } }))
      const shown = shownSetting(setting, { settings: { [name]: allowed } })
      if (formatOf(flags) !== 'table') await this.print(flags, shown, shapeless)
      const over = shown.from === 'config' ? '' : ` ${shown.from} takes precedence here.`
      this.say(flags, `${name} is ${allowed}.${over}`)
    }
  }
}

const SWITCHED: Readonly<Record<string, string>> = {
  true: 'yes',
  on: 'yes',
  '1': 'yes',
  false: 'no',
  off: 'no',
  '0': 'no',
}

/** Value of a setting. Throws a `UsageError` with a guess for a value that is not allowed. */
function allowedValue({ name, values }: KeptSetting, given: string): string {
  if (values.length === 0) return readAddressText(given)
  const word = given.toLowerCase()
  const value = SWITCHED[word] ?? word
  for (const one of [value, word]) if (values.includes(one)) return one
  const meant = nearest(word, values)
  throw new UsageError(
    `Expected ${values.join(', ')} as ${name}, but received: ${given}${meant ? `; did you mean ${meant}?` : ''}`,
  )
}

/** Throws a `UsageError` unless an alias stands for a command, and hides no command. */
function expectAlias(commands: Commands, alias: string, value: string): void {
  if (!/^[a-z][\w-]*$/.test(alias)) throw new UsageError(`Expected one word as alias, but received: ${alias}`)
  const ids = Object.keys(commands)
  if (resolvedAliases(ids, [alias, 'list'])[0] !== alias || ids.some((id) => id.split(':')[0] === alias))
    throw new UsageError(`payctl ${alias} is there already; choose another name`)
  const words = resolvedAliases(ids, lineWords(value))
  if (commandNamed(commands, words) === undefined)
    throw new UsageError(
      `${value} is no command of payctl; write it as after payctl, as in 'transactions list'`,
    )
}
