import { nearest } from './nearest.js'

/** Maximum number of suggestions; if there are more, none is shown. */
const MAX_GUESSES = 3

/** Error text for words without a command, with the command that was probably meant. Never throws. */
export function unknownCommandText(words: readonly string[], ids: readonly string[]): string {
  const close = nearestCommand(words, ids)
  const meant = (close ? [close] : ending(words, ids)).map((id) => `payctl ${id.replaceAll(':', ' ')}`)
  const hint = meant.length > 0 ? `did you mean ${meant.join(' or ')}?` : `see ${overview(words, ids)} --help`
  return `There is no command ${words.join(' ')}; ${hint}`
}

/** The nearest command or topic, word by word. Words after a complete command are its arguments. */
function nearestCommand(words: readonly string[], ids: readonly string[]): string | undefined {
  let id = ''
  for (const word of words) {
    const next = ids
      .filter((known) => known.startsWith(id))
      .map((known) => known.slice(id.length).split(':')[0] ?? '')
    const found = next.includes(word) ? word : nearest(word, next)
    if (found === undefined) return undefined
    if (ids.includes(id + found)) return id + found
    id += `${found}:`
  }
  return id === '' ? undefined : id.slice(0, -1)
}

/**
 * Commands that end with all words or with the first words, such as `transactions pay` for `pay`. Empty if there are
 * too many.
 */
function ending(words: readonly string[], ids: readonly string[]): readonly string[] {
  for (let count = words.length; count > 0; count--) {
    const found = ids.filter((id) => id.endsWith(`:${words.slice(0, count).join(':')}`))
    if (found.length > 0) return found.length <= MAX_GUESSES ? found : []
  }
  return []
}

/** The topic with which the words begin, or else payctl itself; its help lists the existing commands. */
function overview(words: readonly string[], ids: readonly string[]): string {
  const topics = words.map((_, index) => words.slice(0, index + 1))
  const known = topics.findLast((some) => ids.some((id) => id.startsWith(`${some.join(':')}:`)))
  return ['payctl', ...(known ?? [])].join(' ')
}
