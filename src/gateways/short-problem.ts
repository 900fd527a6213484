import { maskCardNumbers } from '../schema/card-data.js'

/** Maximal characters of a reason that is stored or logged. */
const MAX_PROBLEM = 500

/** A gateway's reason, shortened. Card numbers in it are masked, because a gateway may repeat the refused number. */
export function shortProblem(problem: string): string {
  // Shorten first: masking a text of megabytes takes long. The final cut is far shorter, so no half of a card number
  // remains.
  const text = problem.slice(0, 4 * MAX_PROBLEM).replaceAll('\0', '')
  return maskCardNumbers(text).slice(0, MAX_PROBLEM)
}
