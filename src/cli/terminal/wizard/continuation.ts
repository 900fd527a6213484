import type { FlagDescription } from '../../../schema/flags.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import { valueAt } from '../input/body.js'

/**
 * The command that continues where a wizard ended: the answers so far as flags, without secrets. Lists have no flags: they
 * are named at the end.
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
  const again = ['payctl', ...words, '--interactive', ...answered].map(quoted).join(' ')
  return lists.length === 0 ? again : `${again}   (${lists.join(' and ')} must be entered again)`
}

function flagOf(name: string, value: Json | undefined): string[] {
  if (value === undefined || value === null) return []
  if (typeof value === 'boolean') return [value ? `--${name}` : `--no-${name}`]
  return [`--${name}`, typeof value === 'object' ? JSON.stringify(value) : String(value)]
}

/** A word, quoted for a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
