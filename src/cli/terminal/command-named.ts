import type { Command } from '@oclif/core/command'

export type Commands = Readonly<Record<string, Command.Class>>

/**
 * The id of the command whose name the words begin with; of several such commands, the one with the longest
 * name.
 */
export function commandNamed(commands: Commands, words: readonly string[]): string | undefined {
  const ids = words.map((_, index) => words.slice(0, index + 1).join(':'))
  return ids.findLast((id) => Object.hasOwn(commands, id))
}
