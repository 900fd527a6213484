import { UsageError } from './failure/failure.js'
import { nearest } from './nearest.js'

/** Adds the flag that was probably meant to an error about an unknown flag; returns other errors as they are. */
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
