import type { Command } from '@oclif/core/command'

/** Whether an error of the parser says that an argument is missing. */
export function lacksArgument(error: Error): boolean {
  return /^Missing \d+ required args?:/.test(error.message)
}

/**
 * Error text for the first missing argument of a command, by the parser's error: a question, an example, and the command
 * that lists such objects.
 */
export function whichArgument(command: Command.Class, id: string, { message }: Error): string {
  // Each line after the first begins with the name of a missing argument.
  const name = /\n\s*(\S+)/.exec(message)?.[1] ?? 'argument'
  const description = command.args[name]?.description ?? ''
  const noun = /^id of the ([^,]+)/.exec(description)?.[1]
  const question = noun === undefined ? `Missing ${name.toUpperCase()}: ${description}` : `Which ${noun}?`
  const example = (command.examples ?? []).find((each) => typeof each === 'string')
  const topic = id.startsWith('simulate:') ? 'transactions' : id.split(':').slice(0, -1).join(' ')
  return [
    [question, example].filter(Boolean).join(question.endsWith('?') ? ' ' : '; '),
    ...(noun === undefined || topic === '' ? [] : [`payctl ${topic} list shows them`]),
  ].join('; ')
}
