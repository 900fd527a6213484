import { CURRENCY } from '../../schema/money.js'
import { UnknownOutcome } from '../unknown-outcome.js'

/**
 * Returns the answer. Throws `UnknownOutcome` if it is another kind of object: status 200 does not prove that Stripe
 * answered.
 */
export function expectObject<T extends { readonly object: string }>(answer: T, object: T['object']): T {
  if (answer.object !== object) throw new UnknownOutcome(`Stripe answers no ${object}`)
  return answer
}

/** Returns the answer. Throws `UnknownOutcome` if it is about another object than the requested one. */
export function expectAbout<T extends { readonly id: string }>(
  answer: T,
  isMeant: (answer: T) => boolean,
): T {
  if (!isMeant(answer)) throw new UnknownOutcome(`Stripe's answer is of ${answer.id}`)
  return answer
}

/** Throws `UnknownOutcome` for an amount that is negative, not in whole cents, or in another currency. */
export function expectMoney({
  id,
  amount,
  currency,
}: {
  readonly id: string
  readonly amount: number
  readonly currency: string
}): void {
  if (Number.isSafeInteger(amount) && amount >= 0 && currency === CURRENCY.toLowerCase()) return
  throw new UnknownOutcome(`The amount of ${id} is no amount in ${CURRENCY}`)
}
