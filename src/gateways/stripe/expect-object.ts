import { UnknownOutcome } from '../unknown-outcome.js'

/** Throws `UnknownOutcome` where what came is something else: any server may answer 200. */
export function expectObject<T extends { readonly object: string }>(answer: T, object: T['object']): T {
  if (answer.object !== object) throw new UnknownOutcome(`Stripe answers no ${object}`)
  return answer
}
