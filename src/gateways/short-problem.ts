import { maskCardNumbers } from '../schema/card-data.js'

/** The longest reason that is stored or logged. */
const MAX_PROBLEM = 500

/** A gateway's reason, cut off. It may repeat what it refuses: card numbers are masked. */
export function shortProblem(problem: string): string {
  // Cut off first, as a text of megabytes takes long; a number that is cut in two is none any more.
  const text = problem.slice(0, 4 * MAX_PROBLEM).replaceAll('\0', '')
  return maskCardNumbers(text).slice(0, MAX_PROBLEM)
}
