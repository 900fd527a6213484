import type { Command } from '@oclif/core/command'

/** Whether an error of the parser says that an argument is missing. */
export function lacksArgument(error: Error): boolean {
  return /^Missing \d+ required args?:/.test(error.message)
}

/**
 * Error text for the missing argument of a command: a question, an example, and the command that lists such
 * objects.
 */
export function whichArgument(command: Command.Class, id: string): string {
  const [[name = 'argument', { description = '' }] = ['argument', {}]] = Object.entries(command.args).filter(
    ([, { required }]) => required,
  )
  const noun = /^id of the ([^,]+)/.exec(description)?.[1]
  const question = noun === undefined ? `Missing ${name.toUpperCase()}: ${description}` : `Which ${noun}?`
  const example = (command.examples ?? []).find((each) => typeof each === 'string')
  const topic = id.startsWith('simulate:') ? 'transactions' : id.split(':').slice(0, -1).join(' ')
  return [
    [question, example].filter(Boolean).join(question.endsWith('?') ? ' ' : '; '),
    ...(noun === undefined || topic === '' ? [] : [`payctl ${topic} list shows them`]),
  ].join('; ')
}
