import { cardBrand, cardType } from '../../../src/schema/card-brand.js'
import type { Form } from './stripe-books.js'

/** A card as Stripe shows it on a method and on a charge. */
export interface ShownCard {
  readonly brand: string
  readonly last4: string
  readonly exp_month: number
  readonly exp_year: number
  readonly funding: string
  /** Equal for all methods with one number. */
  readonly fingerprint: string
}

/** Test numbers of cards that are not credit cards, docs.stripe.com/testing. */
const FUNDING: Readonly<Record<string, string>> = {
  '4000056655665556': 'debit',
  '5200828282828210': 'debit',
  '5105105105105100': 'prepaid',
}

/** The card of a form, as it is shown. */
export function shownCard(number: string, form: Form): ShownCard {
  const brand = cardBrand(number)
  return {
    brand: brand === 'american_express' ? 'amex' : (brand ?? 'unknown'),
    last4: number.slice(-4),
    exp_month: Number(form.get('card[exp_month]') ?? 12),
    exp_year: Number(form.get('card[exp_year]') ?? 2039),
    funding: FUNDING[number] ?? (cardType(number) === 'debit' ? 'debit' : 'credit'),
    fingerprint: `fp${Buffer.from(number).toString('base64url')}`,
  }
}
