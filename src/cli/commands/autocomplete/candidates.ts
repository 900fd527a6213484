import type { Command } from '@oclif/core/command'
import { type Commands, commandNamed } from '../../terminal/command-named.js'
import { valuesFor } from './completion-values.js'

/** A completion of a word, with its meaning. */
export interface Candidate {
  readonly word: string
  readonly meaning?: string | undefined
}

type Flag = Command.Class['flags'][string]

/** Completions of the last word; if there are none, the shell may offer files. */
export function candidatesFor(
  commands: Commands,
  topics: Readonly<Record<string, { readonly description: string }>>,
  words: readonly string[],
): readonly Candidate[] {
  const before = words.slice(0, -1)
  const current = words.at(-1) ?? ''
  const id = commandNamed(commands, before)
  const found = [
    ...(id === undefined ? [] : afterCommand(commands, id, before, current)),
    ...path(commands, topics, before),
  ]
  return found.filter(({ word }) => word.startsWith(current) && word !== '')
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

/** Completions after a command's name: flags, their values, and values of arguments. */
function afterCommand(
  commands: Commands,
  id: string,
  before: readonly string[],
  current: string,
): readonly Candidate[] {
  const command = commands[id]
  if (!command) return []
  const flags = { ...command.flags, ...command.baseFlags }
  const [, name, value] = /^--([^=]+)=(.*)$/.exec(current) ?? []
  if (name !== undefined && value !== undefined)
    return valuesOf(id, name, flags[name], value).map(({ word, meaning }) => ({
      word: `--${name}=${word}`,
      meaning,
    }))
  const pending = flagBefore(flags, before.at(-1))
  if (pending) return valuesOf(id, pending, flags[pending], current)
  if (current.startsWith('-')) return flagsLeft(flags, before)
  const place = before.length - id.split(':').length
  return (
    Object.values(command.args)
      .at(place)
      ?.options?.map((word) => ({ word })) ?? []
  )
}

/** Name of the flag whose value follows; undefined if the word is no flag with a value. */
function flagBefore(flags: Readonly<Record<string, Flag>>, word: string | undefined): string | undefined {
  const found = Object.entries(flags).find(
    ([name, { char }]) => word === `--${name}` || (char && word === `-${char}`),
  )
  return found?.[1].type === 'option' ? found[0] : undefined
}

function valuesOf(id: string, name: string, flag: Flag | undefined, current: string): readonly Candidate[] {
  if (flag?.type === 'option' && flag.options) return flag.options.map((word) => ({ word }))
  return valuesFor(id.split(':', 1)[0] ?? '', name, current).map((word) => ({ word }))
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
