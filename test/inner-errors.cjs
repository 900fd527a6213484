const { reporters, utils } = require('mocha')

/** As many inner errors of an `AggregateError` are written in full, and the others by their messages. */
const MAX_IN_FULL = 20

/** As many lines of a stack that are of this tree are written. */
const MAX_FRAMES = 4

/** Appends the cause of an error and the errors of an `AggregateError` to its stack, the only text of it that is printed. */
function writeInnerErrors(error) {
  const lines = innerLines(error, new Set([error]))
  if (lines.length === 0) return
  error.stack = [error.stack ?? error.message, ...lines].join('\n')
  // Mocha prints causes as well, but only where no worker sends them.
  error.cause = undefined
}

function innerLines(error, seen) {
  const inner = error instanceof AggregateError ? error.errors : []
  return [
    ...inner.flatMap((one, index) =>
      index < MAX_IN_FULL ? ['', `${index + 1}. ${lines(one, seen)}`] : [`${index + 1}. ${messageOf(one)}`],
    ),
    ...(error.cause === undefined ? [] : [`Caused by: ${lines(error.cause, seen)}`]),
  ].map(indented)
}

/** The text of an error with all that is inside of it. */
function lines(error, seen) {
  if (seen.has(error)) return '(see above)'
  seen.add(error)
  const inner = error instanceof Error ? innerLines(error, seen) : []
  return [messageOf(error), ...differenceOf(error), ...(inner.length > 0 ? inner : framesOf(error))].join(
    '\n',
  )
}

function messageOf(error) {
  return error instanceof Error
    ? `${error.name === 'Error' ? '' : `${error.name}: `}${error.message}`
    : utils.stringify(error)
}

/** Both values of a failed comparison, as mocha shows them of an outer error. */
function differenceOf(error) {
  if (!(error instanceof Error) || !reporters.Base.showDiff(error)) return []
  const [actual, expected] = [error.actual, error.expected].map((value) =>
    typeof value === 'string' ? value : utils.stringify(value),
  )
  return [reporters.Base.generateDiff(actual, expected)]
}

function framesOf(error) {
  const frames = String(error instanceof Error ? error.stack : '').split('\n')
  return frames
    .filter((line) => /^\s+at .*\/(src|test|simulation|bench|scripts)\//.test(line))
    .slice(0, MAX_FRAMES)
}

function indented(text) {
  return text.replace(/^(?=.)/gm, '  ')
}

module.exports = { writeInnerErrors }
