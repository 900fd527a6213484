import { shellWord } from '../../../platform/shell-word.js'
import { parsedJson } from '../../../schema/json.js'
import { UsageError } from '../failure/failure.js'
import { isAddressText } from '../input/address-text.js'
import { isObject } from '../input/body.js'
import type { Variables } from '../input/platform-home.js'
import { FORMATS } from '../output/format.js'
import { changeSettings, readSettings, settingsPath } from '../profiles/settings-file.js'

/** Defaults of commands for the user of a home. A setting applies if its environment variable is not set. */
export interface Configuration {
  readonly settings: Readonly<Record<string, string>>
  /** Words that replace an alias, by the alias. */
  readonly aliases: Readonly<Record<string, string>>
  /** Saved settings that are not used, because their name or value is unknown. */
  readonly refused: readonly string[]
}

/** The configuration of a home in which none was saved. */
export const NO_CONFIGURATION: Configuration = { settings: {}, aliases: {}, refused: [] }

/** A setting that can be saved, with its variable and its allowed values. */
export interface KeptSetting {
  readonly name: string
  readonly variable: string
  /** The allowed values; if empty, any address is allowed. */
  readonly values: readonly string[]
  readonly preset: string
  readonly meaning: string
}

const SWITCH = ['yes', 'no']

/** Settings of the terminal. Environments, servers and keys belong to profiles instead. */
export const KEPT_SETTINGS: readonly KeptSetting[] = [
  {
    name: 'output',
    variable: 'PAYCTL_OUTPUT',
    values: FORMATS,
    preset: 'table',
    meaning: 'output format',
  },
  {
    name: 'utc',
    variable: 'PAYCTL_UTC',
    values: SWITCH,
    preset: 'no',
    meaning: 'datetimes on a terminal in UTC',
  },
  {
    name: 'no-color',
    variable: 'NO_COLOR',
    values: SWITCH,
    preset: 'no',
    meaning: 'no colours',
  },
  {
    name: 'no-pager',
    variable: 'PAYCTL_NO_PAGER',
    values: SWITCH,
    preset: 'no',
    meaning: 'no pager for output that is longer than the terminal',
  },
  {
    name: 'no-input',
    variable: 'PAYCTL_NO_INPUT',
    values: SWITCH,
    preset: 'no',
    meaning: 'never prompt',
  },
  {
    name: 'safe-csv',
    variable: 'PAYCTL_SAFE_CSV',
    values: SWITCH,
    preset: 'no',
    meaning: 'CSV whose texts are not formulas to a spreadsheet',
  },
  {
    name: 'public-url',
    variable: 'PAYCTL_PUBLIC_URL',
    values: [],
    preset: '',
    meaning: 'address at which payers reach payment links and receipts; that of serve by default',
  },
]

const NAME = 'config'

/** Reads the configuration of a home. Throws a `UsageError` for a file that others can read or that is damaged. */
export function loadConfiguration(home: string): Configuration {
  return configurationIn(home, readSettings(home, NAME))
}

/**
 * Changes the configuration of a home under a lock. `change` returns the new configuration, or throws to keep the old
 * configuration.
 */
export async function changeConfiguration(
  home: string,
  change: (saved: Configuration) => Omit<Configuration, 'refused'>,
): Promise<void> {
  await changeSettings(home, NAME, (text) => {
    const { settings, aliases } = change(configurationIn(home, text))
    return { settings: { ...settings }, aliases: { ...aliases } }
  })
}

/** Throws a `UsageError` with the remedy if a saved setting is unknown. */
export function expectKnownSettings({ refused: [name] }: Configuration, home: string): void {
  if (name !== undefined)
    throw new UsageError(
      `The setting ${name} in ${settingsPath(home, NAME)} has a name or a value that payctl does not know; payctl config unset ${name} removes it`,
    )
}

function configurationIn(home: string, text: string | undefined): Configuration {
  if (text === undefined) return NO_CONFIGURATION
  const content = parsedJson(text)
  const { settings, aliases } = isObject(content) ? content : {}
  if (!isTexts(settings) || !isTexts(aliases))
    throw new UsageError(
      `The file ${settingsPath(home, NAME)} is damaged; fix it, or remove it and set it anew: rm ${shellWord(settingsPath(home, NAME))}`,
    )
  const all = Object.entries(settings)
  const refused = all.filter((one) => !isKnown(one)).map(([name]) => name)
  return { settings: Object.fromEntries(all.filter(isKnown)), aliases, refused }
}

/** Variables set from the configuration in this process. */
const filled = new Set<string>()

/** Sets the variables of settings, except those that are already set. */
export function applySettings(
  { settings }: Configuration,
  variables: Record<string, string | undefined>,
): void {
  filled.clear()
  for (const { name, variable } of KEPT_SETTINGS) {
    const value = settings[name]
    if (value === undefined || variables[variable]) continue
    const text = variableText(value)
    if (text === '') continue
    variables[variable] = text
    filled.add(variable)
  }
}

/** Whether the configuration has set a variable in this process. */
export function isSaved(variable: string): boolean {
  return filled.has(variable)
}

/** The variable that takes precedence over a setting; undefined if none does. */
export function overridingVariable({ variable }: KeptSetting, variables: Variables): string | undefined {
  return variables[variable] && !isSaved(variable) ? variable : undefined
}

/**
 * Value of a variable for a setting. `no` leaves the variable unset, because some variables are switched on
 * by any value.
 */
function variableText(value: string): string {
  if (value === 'no') return ''
  return value === 'yes' ? '1' : value
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every((text) => typeof text === 'string')
}

/** Whether a setting may have a value. */
function isAllowed({ values }: KeptSetting, value: string): boolean {
  return values.length > 0 ? values.includes(value) : isAddressText(value)
}

function isKnown([name, value]: readonly [string, string]): boolean {
  return KEPT_SETTINGS.some((setting) => setting.name === name && isAllowed(setting, value))
}
