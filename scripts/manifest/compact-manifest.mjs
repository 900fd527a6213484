/**
 * Defaults of `@oclif/core` for properties that the manifest omits. A flag's name is its key, and the plugin fills in
 * its own alias and type.
 */
const COMMAND_DEFAULTS = {
  aliases: [],
  hiddenAliases: [],
  hasDynamicHelp: false,
  enableJsonFlag: false,
  strict: true,
}
const FLAG_DEFAULTS = { allowNo: false, multiple: false, hasDynamicHelp: false }
const FILLED_IN = new Set(['pluginAlias', 'pluginType'])

/** Text of oclif.manifest.json: a line for each command, without properties that follow from others. */
export function compactManifest({ commands, ...rest }) {
  const lines = Object.entries(commands).map(
    ([id, command]) => `${JSON.stringify(id)}:${JSON.stringify(withoutDefaults(command))}`,
  )
  return `{"commands":{\n${lines.join(',\n')}\n},${JSON.stringify(rest).slice(1)}\n`
}

/** The command without properties that are defaults or filled in by oclif. */
export function withoutDefaults({ flags, ...command }) {
  const kept = Object.entries(command).filter(
    ([name, value]) => !(FILLED_IN.has(name) || isDefault(COMMAND_DEFAULTS, name, value)),
  )
  const ownFlags = Object.entries(flags).map(([key, flag]) => [key, flagWithoutDefaults(key, flag)])
  return { ...Object.fromEntries(kept), flags: Object.fromEntries(ownFlags) }
}

function flagWithoutDefaults(key, flag) {
  const kept = Object.entries(flag).filter(
    ([name, value]) => !((name === 'name' && value === key) || isDefault(FLAG_DEFAULTS, name, value)),
  )
  return Object.fromEntries(kept)
}

function isDefault(defaults, name, value) {
  return Object.hasOwn(defaults, name) && JSON.stringify(value) === JSON.stringify(defaults[name])
}
