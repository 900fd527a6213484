import process from 'node:process'
import type { JsonObject } from '../../terminal/client/client.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { homeOf } from '../../terminal/profiles/settings.js'
import {
  type Configuration,
  changeConfiguration,
  KEPT_SETTINGS,
  type KeptSetting,
  loadConfiguration,
  overridingVariable,
} from '../../terminal/start/configuration.js'
import { nearest } from '../../terminal/suggestions/nearest.js'

/** Prefix of an alias among the settings: `alias.today`. */
export const ALIAS = 'alias.'

/** Base of the commands for the configuration, which neither use nor change a profile. */
export abstract class ConfigCommand extends PayctlCommand {
  protected override readonly underProfile = false

  protected kept(): Configuration {
    return loadConfiguration(homeOf(process.env).value)
  }

  protected async change(how: (saved: Configuration) => Omit<Configuration, 'refused'>): Promise<void> {
    await changeConfiguration(homeOf(process.env).value, how)
  }
}

/** Finds a setting by name. Throws a `UsageError` with a guess if there is none. */
export function settingNamed(name: string): KeptSetting {
  const found = KEPT_SETTINGS.find((setting) => setting.name === name)
  if (found) return found
  const names = KEPT_SETTINGS.map((setting) => setting.name)
  const meant = nearest(name, names)
  const hint = meant ? `did you mean ${meant}?` : `there are ${names.join(', ')} and ${ALIAS}<name>`
  throw new UsageError(`There is no setting ${name}; ${hint}`)
}

/** A setting as printed, with its source. */
export function shownSetting(
  setting: KeptSetting,
  { settings }: Pick<Configuration, 'settings'>,
): JsonObject {
  const { name, preset, meaning } = setting
  const variable = overridingVariable(setting, process.env)
  const kept = settings[name]
  const from = variable ?? (kept === undefined ? 'default' : 'config')
  return { name, value: variable ? (process.env[variable] ?? '') : (kept ?? preset), from, meaning }
}

export function shownAlias(name: string, words: string): JsonObject {
  return { name: `${ALIAS}${name}`, value: words, from: 'config', meaning: `payctl ${name}` }
}

/** The words that an alias stands for. Throws a `UsageError` if there is no such alias. */
export function aliasNamed(aliases: Configuration['aliases'], alias: string): string {
  const words = Object.hasOwn(aliases, alias) ? aliases[alias] : undefined
  if (words !== undefined) return words
  throw new UsageError(`There is no alias ${alias}; see payctl config list`)
}
