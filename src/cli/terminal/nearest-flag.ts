import { UsageError } from './failure/failure.js'
import { nearest } from './nearest.js'

/** An error about a flag that there is not, with the one that was probably meant; any other as it is. */
export function withNearestFlag(error: Error, names: readonly string[]): Error {
  const wrong = /^Nonexistent flag: (--[^\s=,]+)/.exec(error.message)?.[1]
  const meant =
    wrong === undefined
      ? undefined
      : nearest(
          wrong,
          names.map((name) => `--${name}`),
        )
  return meant === undefined ? error : new UsageError(`Nonexistent flag: ${wrong}; did you mean ${meant}?`)
}
