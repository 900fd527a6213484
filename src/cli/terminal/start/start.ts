import process from 'node:process'
import { Plugin } from '@oclif/core/config'
import type { LoadOptions, PJSON } from '@oclif/core/interfaces'
import { UsageError } from '../failure/failure.js'
import { report } from '../output/answer-report.js'
import { cleanText } from '../output/clean.js'
import { handleFailedOutput } from '../output/failed-output.js'
import { homeOf } from '../profiles/settings.js'
import { unknownCommandText } from '../suggestions/unknown-command.js'
import { type Commands, commandNamed } from './command-named.js'
import {
  applySettings,
  type Configuration,
  expectKnownSettings,
  loadConfiguration,
  NO_CONFIGURATION,
} from './configuration.js'
import { lineWords } from './line-words.js'

export interface Package {
  /** The folder of package.json. */
  readonly root: string
  readonly pjson: PJSON
  /** The package with its commands, if these are not read from the manifest. */
  readonly plugins?: Map<string, Plugin>
}

/**
 * Runs the command that the arguments name. oclif gets only that command, so that neither the manifest nor
 * other commands are read. Help, versions and unknown commands use oclif's own search. Never rejects:
 * errors that a command does not report itself are reported here.
 */
export async function start(
  from: Package,
  commands: Commands,
  given: readonly string[],
  resolve: ResolveWords = (words) => words,
): Promise<void> {
  handleFailedOutput(given)
  // Without SHELL, oclif looks up the user, which fails for a user without an entry, as in containers.
  process.env['SHELL'] ??= ''
  try {
    const configuration = configurationFor(given, commands)
    applySettings(configuration, process.env)
    await runNamed(from, commands, withoutAliases(given, { commands, configuration, resolve }))
  } catch (error) {
    report(error, given)
  }
}

/** Commands that run in spite of damaged settings, because they help to fix them. */
const TOLERANT = /^(doctor|autocomplete|help)(:|$)/

/** Commands that read and change the settings themselves. */
const OF_SETTINGS = /^config:/

/**
 * The saved configuration. If it is damaged, help, versions, completion and `doctor` get an empty one and a
 * warning on stderr. For other commands, throws a `UsageError` with the remedy.
 */
function configurationFor(argv: readonly string[], commands: Commands): Configuration {
  const id = commandNamed(commands, wordsBeforeFlags(argv)) ?? ''
  const isHelp = asksForHelp(argv) || wordsBeforeFlags(argv).length === 0
  try {
    const home = homeOf(process.env).value
    const configuration = loadConfiguration(home)
    if (!OF_SETTINGS.test(id)) expectKnownSettings(configuration, home)
    return configuration
  } catch (error) {
    if (!(error instanceof UsageError) || !(isHelp || TOLERANT.test(id))) throw error
    process.stderr.write(`Warning: ${cleanText(error.message)}\n`)
    return NO_CONFIGURATION
  }
}

/** Function that replaces short names of topics and commands by full ones. */
type ResolveWords = (words: readonly string[]) => readonly string[]

interface Known {
  readonly commands: Commands
  readonly configuration: Configuration
  readonly resolve: ResolveWords
}

/**
 * The arguments, with an alias replaced by its words; unchanged if they name a command. The words of a
 * user's alias may begin with a built-in alias.
 */
function withoutAliases(
  argv: readonly string[],
  { commands, configuration: { aliases }, resolve }: Known,
): readonly string[] {
  const words = wordsBeforeFlags(argv)
  if (words[0] === 'help') return ['help', ...resolve(words.slice(1)), ...argv.slice(words.length)]
  const [first = ''] = words
  if (first === '' || commandNamed(commands, words) !== undefined) return argv
  if (!Object.hasOwn(aliases, first)) return [...resolve(words), ...argv.slice(words.length)]
  const stood = lineWords(aliases[first] ?? '')
  const named = wordsBeforeFlags(stood)
  return [...resolve(named), ...stood.slice(named.length), ...argv.slice(1)]
}

async function runNamed(from: Package, commands: Commands, argv: readonly string[]): Promise<void> {
  if (argv.includes('--no-color')) process.env.NO_COLOR = '1'
  if (argv.includes('--utc')) process.env.PAYCTL_UTC = '1'
  const id = asksForHelp(argv) ? undefined : commandNamed(commands, wordsBeforeFlags(argv))
  const Named = id === undefined ? undefined : commands[id]
  try {
    if (!id || !Named) {
      refuseFlagsOfTopic(argv, commands)
      return await search(from, argv)
    }
    // Loading the command has installed oclif's own handlers of output errors, so ours are installed again.
    handleFailedOutput(argv)
    Named.id = id
    // Without this variable, oclif would look for a theme file, and load the code that reads it.
    process.env.PAYCTL_DISABLE_THEME = '1'
    await Named.run(argv.slice(id.split(':').length), bare(from))
  } catch (error) {
    report(namesNoCommand(error) ? new UsageError(noCommandText(argv, commands)) : error, argv)
  }
}

/** Flags for the look of help, which are allowed after a topic. */
const LOOKS = new Set(['--no-color', '--utc'])

/** Throws a `UsageError` for flags after a topic: oclif would ignore them and show help. */
function refuseFlagsOfTopic(argv: readonly string[], commands: Commands): void {
  const words = wordsBeforeFlags(argv)
  const flag = argv.slice(words.length).find((word) => !LOOKS.has(word))
  const ids = Object.keys(commands).filter((id) => id.startsWith(`${words.join(':')}:`))
  if (flag === undefined || asksForHelp(argv) || words.length === 0 || ids.length === 0) return
  const topic = `payctl ${words.join(' ')}`
  const hint = ids.includes(`${words.join(':')}:list`)
    ? `did you mean ${topic} list ${flag}?`
    : `see ${topic} --help`
  throw new UsageError(`Expected a command of ${words.join(' ')} before ${flag}; ${hint}`)
}

async function search(from: Package, argv: readonly string[]): Promise<void> {
  const { run } = await import('@oclif/core/run')
  await run([...argv], { ...from })
}

/** oclif's configuration for this package, without its commands. */
function bare({ root, pjson }: Package): LoadOptions {
  const plugin = new Plugin({ isRoot: true, root, pjson })
  plugin.root = root
  plugin.pjson = pjson
  plugin.name = pjson.name
  plugin.version = pjson.version
  plugin.valid = true
  plugin.hooks = {}
  plugin.commands = []
  return { root, pjson, plugins: new Map([[plugin.name, plugin]]) }
}

/** Whether a command line requests help. */
function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv
    .slice(0, end === -1 ? undefined : end)
    .some((word) => word === '--help' || word === '--help-all' || word === '-h')
}

function namesNoCommand(error: unknown): boolean {
  return error instanceof Error && /^command .* not found$/.test(error.message)
}

function noCommandText(argv: readonly string[], commands: Commands): string {
  const words = wordsBeforeFlags(argv)
  return words.length === 0
    ? `Expected a command before ${argv[0]}; see payctl --help`
    : unknownCommandText(words, Object.keys(commands))
}

function wordsBeforeFlags(argv: readonly string[]): readonly string[] {
  const end = argv.findIndex((word) => word.startsWith('-'))
  return argv.slice(0, end === -1 ? undefined : end)
}
