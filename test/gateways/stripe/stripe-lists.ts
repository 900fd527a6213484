import type { Form, StripeBooks } from './stripe-books.js'

/** Whether a time of creation is in the span that a form names. */
export function isWithin(created: number, form: Form): boolean {
  const { gte = -Infinity, lte = Infinity } = {
    ...(form.has('created[gte]') && { gte: Number(form.get('created[gte]')) }),
    ...(form.has('created[lte]') && { lte: Number(form.get('created[lte]')) }),
  }
  return created >= gte && created <= lte
}

/**
 * Returns the values created in the span of time that a form names. Uses bisection, because lists are long and spans
 * short.
 */
export function madeWithin<T extends { readonly created: number }>(
  values: readonly T[],
  form: Form,
): readonly T[] {
  const first = countUntil(values, ({ created }) => created < Number(form.get('created[gte]') ?? 0))
  const end = countUntil(values, ({ created }) => created <= Number(form.get('created[lte]') ?? Infinity))
  return values.slice(first, end)
}

/**
 * Returns the number of values before the first one for which `holds` is false. All values after it must be false, too.
 */
function countUntil<T>(values: readonly T[], holds: (value: T) => boolean): number {
  let [low, high] = [0, values.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const value = values[middle]
    if (value !== undefined && holds(value)) low = middle + 1
    else high = middle
  }
  return low
}

/** A page of a list, newest first, as in all lists of Stripe. */
export function paged<T extends object>(values: readonly T[], form: Form): object {
  const newest = values.toReversed()
  const after = form.get('starting_after')
  const from = after ? newest.findIndex((each) => 'id' in each && each.id === after) + 1 : 0
  const limit = Number(form.get('limit') ?? 10)
  const data = newest.slice(from, from + limit)
  return { object: 'list', url: '/v1/list', data, has_more: newest.length > from + limit }
}

/** Answer of Stripe's search for payments by our reference. */
export function searched({ intents }: StripeBooks, form: Form): object {
  const reference = /^metadata\['reference'\]:'(.*)'$/.exec(form.get('query') ?? '')?.[1]
  const data = intents.filter(({ metadata }) => metadata['reference'] === reference)
  return { object: 'search_result', url: '/v1/payment_intents/search', data, has_more: false }
}
