import { cardBrand, cardType } from '../../../src/schema/card-brand.js'
import type { Form } from './stripe-books.js'

/** A card as Stripe shows it in a payment method and in a charge. */
export interface ShownCard {
  readonly brand: string
  readonly last4: string
  readonly exp_month: number
  readonly exp_year: number
  readonly funding: string
  /** Id of the number: all methods with the same number have the same fingerprint. */
  readonly fingerprint: string
}

/** Test numbers of debit and prepaid cards, from docs.stripe.com/testing. */
const FUNDING: Readonly<Record<string, string>> = {
  '4000056655665556': 'debit',
  '5200828282828210': 'debit',
  '5105105105105100': 'prepaid',
}

/** The card of a request's form, as Stripe shows it. */
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

/** A street, postal code or card code that contains this does not match. */
const WRONG = /Wrong|99999|^999$/

/** Result of the check of a value, in Stripe's words. */
export function checkOf(value: string): string {
  return WRONG.test(value) ? 'fail' : 'pass'
}
