import type { Command } from '@oclif/core/command'
import { type Commands, commandNamed } from '../../terminal/start/command-named.js'
import { lineWords } from '../../terminal/start/line-words.js'
import { resolvedAliases } from '../config/aliases.js'
import { valuesFor } from './completion-values.js'
import { argumentsOf, namedValues } from './named-values.js'
import { NO_NAMES, type SavedNames } from './saved-names.js'

/** A completion of a word, with its meaning. */
export interface Candidate {
  readonly word: string
  readonly meaning?: string | undefined
  /** Whether a user chose the word, so that it may contain any characters. */
  readonly isNamed?: boolean
}

type Flag = Command.Class['flags'][string]

/** Completions of the last word; if there are none, the shell may offer files. */
export function candidatesFor(
  commands: Commands,
  topics: Readonly<Record<string, { readonly description: string }>>,
  words: readonly string[],
  names: SavedNames = NO_NAMES,
): readonly Candidate[] {
  const before = named(commands, words.slice(0, -1), names)
  const current = words.at(-1) ?? ''
  const id = commandNamed(commands, before)
  const found = [
    ...(id === undefined ? [] : afterCommand({ commands, id, names }, before, current)),
    ...path(commands, topics, before),
    // `payctl help` is followed by the name of a command.
    ...(before[0] === 'help' ? path(commands, topics, before.slice(1)) : []),
    ...(before.length === 0 ? aliasesOf(names) : []),
  ]
  const fitting = found.filter(({ word }) => word.startsWith(current) && word !== '')
  return [...new Map(fitting.map((one) => [one.word, one])).values()]
}

/** Whether the last word is the name of a batch, which must be looked up in the database. */
export function namesBatch(commands: Commands, words: readonly string[], names: SavedNames): boolean {
  const before = named(commands, words.slice(0, -1), names)
  const id = commandNamed(commands, before) ?? ''
  return (
    before.at(-1) === '--batch-id' || (/^batch:(resume|results)$/.test(id) && !isFlag(words.at(-1) ?? ''))
  )
}

/** The words, with an alias replaced by the words that it stands for. */
function named(commands: Commands, words: readonly string[], { aliases }: SavedNames): readonly string[] {
  const [first = '', ...rest] = words
  if (Object.hasOwn(aliases, first)) return [...lineWords(aliases[first] ?? ''), ...rest]
  const end = words.findIndex(isFlag)
  const plain = end === -1 ? words : words.slice(0, end)
  if (plain.length === 0 || commandNamed(commands, plain) !== undefined) return words
  return [...resolvedAliases(Object.keys(commands), plain), ...words.slice(plain.length)]
}

function aliasesOf({ aliases }: SavedNames): readonly Candidate[] {
  return Object.entries(aliases).map(([word, stands]) => ({
    word,
    meaning: `payctl ${stands}`,
    isNamed: true,
  }))
}

function isFlag(word: string): boolean {
  return word.startsWith('-')
}

/** The next words in the names of commands. */
function path(
  commands: Commands,
  topics: Readonly<Record<string, { readonly description: string }>>,
  before: readonly string[],
): readonly Candidate[] {
  const start = before.map((word) => `${word}:`).join('')
  const ids = Object.keys(commands).filter((id) => id.startsWith(start))
  const next = [...new Set(ids.map((id) => id.slice(start.length).split(':', 1)[0] ?? ''))]
  return next
    .filter((word) => !isHidden(commands, start + word))
    .map((word) => ({
      word,
      meaning: Object.hasOwn(commands, start + word)
        ? commands[start + word]?.summary
        : topics[start + word]?.description,
    }))
}

function isHidden(commands: Commands, id: string): boolean {
  return Object.hasOwn(commands, id) && commands[id]?.hidden === true
}

interface NamedCommand {
  readonly commands: Commands
  readonly id: string
  readonly names: SavedNames
}

/** Completions after a command's name: flags, their values, and values of arguments. */
function afterCommand(
  { commands, id, names }: NamedCommand,
  before: readonly string[],
  current: string,
): readonly Candidate[] {
  const command = commands[id]
  if (!command) return []
  const flags = { ...command.flags, ...command.baseFlags }
  const [, name, value] = /^--([^=]+)=(.*)$/.exec(current) ?? []
  if (name !== undefined && value !== undefined)
    return valuesOf({ id, name, flag: flags[name], names }, value).map(({ word, meaning, isNamed }) => ({
      word: `--${name}=${word}`,
      meaning,
      ...(isNamed && { isNamed }),
    }))
  const pending = flagBefore(flags, before.at(-1))
  if (pending) return valuesOf({ id, name: pending, flag: flags[pending], names }, current)
  if (isFlag(current)) return flagsLeft(flags, before)
  const args = before
    .slice(id.split(':').length)
    .filter((word, at, all) => !isFlag(word) && flagBefore(flags, all[at - 1]) === undefined)
  const options = Object.values(command.args).at(args.length)?.options ?? argumentsOf(id, args, names)
  return options.map((word) => ({ word, isNamed: true }))
}

/** Name of the flag whose value follows the word; undefined if the word is no flag with a value. */
function flagBefore(flags: Readonly<Record<string, Flag>>, word: string | undefined): string | undefined {
  const found = Object.entries(flags).find(
    ([name, { char }]) => word === `--${name}` || (char && word === `-${char}`),
  )
  return found?.[1].type === 'option' ? found[0] : undefined
}

/** A flag of a command whose value is completed. */
interface PendingFlag {
  readonly id: string
  readonly name: string
  readonly flag: Flag | undefined
  readonly names: SavedNames
}

function valuesOf({ id, name, flag, names }: PendingFlag, current: string): readonly Candidate[] {
  if (flag?.type === 'option' && flag.options) return flag.options.map((word) => ({ word }))
  const topic = id.split(':', 1)[0] ?? ''
  const named = namedValues(name, names)
  if (named) return named.map((word) => ({ word, isNamed: true }))
  return valuesFor(topic, name, current).map((word) => ({ word }))
}

function flagsLeft(flags: Readonly<Record<string, Flag>>, before: readonly string[]): readonly Candidate[] {
  return Object.entries(flags)
    .filter(([name, flag]) => !before.includes(`--${name}`) || (flag.type === 'option' && flag.multiple))
    .flatMap(([name, flag]) => {
      const meaning = flag.summary
      const negative = flag.type === 'boolean' && flag.allowNo ? [{ word: `--no-${name}`, meaning }] : []
      return [{ word: `--${name}`, meaning }, ...negative]
    })
}
