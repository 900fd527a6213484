import type { Command } from '@oclif/core/command'

/** Whether a command line lacks an argument, by the parser's error. */
export function lacksArgument(error: Error): boolean {
  return /^Missing \d+ required args?:/.test(error.message)
}

/** Question for the missing argument of a command: its example, and the command that lists such objects. */
export function whichArgument(command: Command.Class, id: string, commandIds: readonly string[]): string {
  const [[name = 'argument', { description = '' }] = ['argument', {}]] = Object.entries(command.args).filter(
    ([, { required }]) => required,
  )
  const noun = /^id of the ([^,]+)/.exec(description)?.[1]
  const question = noun === undefined ? `Missing ${name.toUpperCase()}: ${description}` : `Which ${noun}?`
  const example = (command.examples ?? []).find((each) => typeof each === 'string')
  const list = [id.replace(/:[^:]*$/, ':list')].find((other) => other !== id && commandIds.includes(other))
  return [
    [question, example].filter(Boolean).join(' '),
    ...(list === undefined ? [] : [`payctl ${list.replaceAll(':', ' ')} shows them`]),
  ].join('; ')
}
