import type { Command } from '@oclif/core/command'

export type Commands = Readonly<Record<string, Command.Class>>

/** The id of the command whose name is at the beginning of the words. If several names match, the longest name wins. */
export function commandNamed(commands: Commands, words: readonly string[]): string | undefined {
  const ids = words.map((_, index) => words.slice(0, index + 1).join(':'))
  return ids.findLast((id) => Object.hasOwn(commands, id))
}
