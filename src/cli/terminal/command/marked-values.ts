import type { FlagInput } from '@oclif/core/interfaces'

/** Precedes a marked value; no word of a command line contains it. */
const MARK = '\0'

/** A command line for oclif, with replacements for the flags whose values were marked. */
export interface MarkedLine {
  readonly words: string[]
  readonly changed: FlagInput
}

/**
 * Marks values after `=` that begin with a dash, as in `--name=--yes`, because oclif would read them as
 * flags. The changed flags remove the mark.
 */
export function withMarkedValues(argv: readonly string[], flags: FlagInput): MarkedLine {
  const end = argv.indexOf('--')
  const changed: FlagInput = {}
  const words = argv.map((word, at) => {
    const [, start = '', dashes, name = '', value = ''] = /^((--?)([\w.-]+?)=)(-.*)$/s.exec(word) ?? []
    if (start === '' || (end !== -1 && at > end)) return word
    const [long, flag] =
      Object.entries(flags).find(([one, { char }]) => (dashes === '--' ? one : char) === name) ?? []
    // Flags with fixed values refuse the value in any case.
    if (long === undefined || flag?.type !== 'option' || flag.options) return word
    changed[long] = {
      ...flag,
      parse: async (text: string, context: Parameters<typeof flag.parse>[1], options: typeof flag) =>
        await flag.parse(text.replace(MARK, ''), context, options),
    }
    return start + MARK + value
  })
  return { words, changed }
}
