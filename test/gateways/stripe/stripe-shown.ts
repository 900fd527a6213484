import type { Form, StripeBooks } from './stripe-books.js'
import type { PaymentMethod, Refund } from './stripe-objects.js'

export function shownRefund(refund: Refund, form: Form): Refund | object {
  const { balance_transaction: about } = refund
  const isExpanded = [...form].some(
    ([name, value]) => name.startsWith('expand') && value.endsWith('balance_transaction'),
  )
  return about === undefined || isExpanded ? refund : { ...refund, balance_transaction: about.id }
}

/** A method as Stripe shows it, without number and card code. */
export function shownMethod({ number: _, cvc: __, ...shown }: PaymentMethod): object {
  return shown
}

export function disputed(
  { disputes }: StripeBooks,
  id: string,
  inAccount: (id: string, seen: object) => object,
): object {
  const found = disputes.find((each) => each.id === id)
  return found ? inAccount(found.payment_intent.id, found) : {}
}
