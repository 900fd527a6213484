const { reporters, utils } = require('mocha')

/**
 * Number of inner errors of an `AggregateError` that are written in full; of further ones, only the message is
 * written.
 */
const MAX_IN_FULL = 20

/** Maximum number of lines written from one stack; only lines from files of this repository count. */
const MAX_FRAMES = 4

/**
 * Appends the cause of an error and the errors of an `AggregateError` to `error.stack`, because reporters print
 * only the stack.
 */
function writeInnerErrors(error) {
  const lines = innerLines(error, new Set([error]))
  if (lines.length === 0) return
  error.stack = [error.stack ?? error.message, ...lines].join('\n')
  // In a run without workers, mocha prints `cause` itself, so the cause would appear twice.
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

/** Message of an error, followed by its cause and inner errors, or by its stack if it has neither. */
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

/**
 * Difference between actual and expected value, in the format that mocha uses for the outer error. Empty if
 * there is none.
 */
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
