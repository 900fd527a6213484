import { shellWord } from '../../../platform/shell-word.js'
import type { FlagDescription } from '../../../schema/flag-description.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import { valueAt } from '../input/body.js'

/**
 * The command that continues a wizard that ended early: the answers so far as flags, without secrets. Lists
 * have no flags; their names are added at the end.
 */
export function continuation(
  words: readonly string[],
  descriptions: readonly FlagDescription[],
  body: JsonObject,
  lists: readonly string[] = [],
): string {
  const answered = descriptions
    .filter(({ kind }) => kind !== 'secret' && kind !== 'file')
    .flatMap(({ name, path }) => flagOf(name, valueAt(body, path)))
  const again = commandLine([...words, ...answered])
  return lists.length === 0 ? again : `${again}   (${lists.join(' and ')} must be entered again)`
}

/** A command as text for a shell. */
export function commandLine(words: readonly string[]): string {
  return ['payctl', ...words].map(shellWord).join(' ')
}

/** Properties of flags that determine how a line is split into flags and arguments. */
export type KnownFlags = Readonly<
  Record<string, { readonly type: string; readonly char?: string | undefined }>
>

/** Flags that were typed on the command line, except those in `leftOut`. */
export function typedFlags(
  argv: readonly string[],
  known: KnownFlags,
  leftOut: ReadonlySet<string>,
): readonly string[] {
  const end = argv.indexOf('--')
  const line = (end === -1 ? argv : argv.slice(0, end)).flatMap((word) => apart(word, known))
  const typed: string[] = []
  for (let at = 0; at < line.length; at++) {
    const flag = flagAt(line, at, known)
    if (!flag) continue
    at += flag.words.length - 1
    if (!leftOut.has(flag.name)) typed.push(...flag.words)
  }
  return typed
}

/** Splits `-iy` into `-i -y`, if `-i` has no value. */
function apart(word: string, known: KnownFlags): readonly string[] {
  const [, letter, rest] = /^-(\w)(\w+)$/.exec(word) ?? []
  const isSwitch = Object.values(known).some(({ type, char }) => type === 'boolean' && char === letter)
  return letter && isSwitch ? [`-${letter}`, ...apart(`-${rest}`, known)] : [word]
}

/** The flag at a position of a line, with its value; undefined for an argument. */
function flagAt(line: readonly string[], at: number, known: KnownFlags) {
  const word = line[at] ?? ''
  const [, long, letter] = /^--([\w.-]+)|^-(\w)/.exec(word) ?? []
  const name = long ?? Object.keys(known).find((one) => letter && known[one]?.char === letter) ?? ''
  const flag = known[name] ?? known[name.replace(/^no-/, '')]
  if (!flag) return undefined
  const bare = long === undefined ? 2 : long.length + 2
  const hasValue = flag.type !== 'boolean' && word.length === bare
  return { name, words: line.slice(at, at + (hasValue ? 2 : 1)) }
}

function flagOf(name: string, value: Json | undefined): string[] {
  if (value === undefined || value === null) return []
  if (typeof value === 'boolean') return [value ? `--${name}` : `--no-${name}`]
  return [`--${name}`, typeof value === 'object' ? JSON.stringify(value) : String(value)]
}
