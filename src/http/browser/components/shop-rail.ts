import type {
  Stripe,
  StripeCardElement,
  StripeCardNumberElement,
  StripeElements,
  StripeError,
} from '@stripe/stripe-js'
import { isObject } from '../../../schema/json.js'
import type { Details, ShownRail } from '../frames/frame-message.js'
import { loadScript } from '../frames/load-script.js'
import { stripeFieldName } from '../frames/stripe-field-name.js'
import { type ComponentError, componentError } from './component-errors.js'
import { nameOf } from './page-field.js'

/** Stripe's fields by the names of secure fields. */
const RAIL_FIELDS = ['card', 'card_number', 'expiry', 'card_code', 'cvc']

/** A problem that Stripe has found in the input of one of its fields. */
export class RailProblem extends Error {
  readonly data: ComponentError['data']
  readonly field: string

  constructor({ code, message = '' }: StripeError) {
    super(message)
    this.field = stripeFieldName(code)
    const details = { payment_method: { card: { [this.field]: message } } }
    const refusal = { error_type: 'InvalidAttributes', error_description: message, details }
    this.data = componentError(refusal).data
  }
}

export function keptAway(host: string): ComponentError {
  return componentError({
    error_type: 'ServiceUnavailable',
    error_description: `The fields did not load: something keeps ${host} away. Nothing was paid`,
  })
}

/** The fields of Stripe in one form, which make one token. */
export class ShopRail {
  readonly host: string
  readonly ready: Promise<StripeElements>
  #stripe: Stripe | undefined
  #card: StripeCardElement | StripeCardNumberElement | undefined
  /** The token of the present input: input that is sent again after a success is the same payment. */
  #made: string | undefined

  constructor({ script, settings: { publishableKey, stripeAccount } }: ShownRail) {
    this.host = new URL(script).host
    this.ready = loadScript(script).then(
      () => {
        // A content blocker may have replaced the script by an empty one.
        if (!window.Stripe) throw keptAway(this.host)
        this.#stripe = window.Stripe(publishableKey, stripeAccount === undefined ? {} : { stripeAccount })
        return this.#stripe.elements()
      },
      () => {
        throw keptAway(this.host)
      },
    )
    this.ready.catch(() => undefined)
  }

  takes(element: Element): boolean {
    return RAIL_FIELDS.includes(nameOf(element))
  }

  /** Keeps the field with the number, by which Stripe finds the others. */
  useCard<Card extends StripeCardElement | StripeCardNumberElement>(card: Card): Card {
    this.#card = card
    return card
  }

  /** Forgets the field with the number if a removed field has this name. */
  forgetCard(name: string): void {
    if (name === 'card' || name === 'card_number') this.#card = undefined
  }

  /** Discards the token, after new input or a refusal. */
  forget(): void {
    this.#made = undefined
  }

  /** The token of the input; throws an error in the shape of the components. */
  async token({ account_holder: name, billing_address: address }: Details): Promise<string> {
    if (this.#made !== undefined) return this.#made
    if (!this.#stripe || !this.#card) throw new TypeError('The form has no field for the card number')
    const postalCode = isObject(address) && address['postal_code']
    const { paymentMethod, error } = await this.#stripe.createPaymentMethod({
      type: 'card',
      card: this.#card,
      billing_details: {
        ...(name ? { name: String(name) } : {}),
        ...(postalCode ? { address: { postal_code: String(postalCode) } } : {}),
      },
    })
    if (error) throw new RailProblem(error)
    this.#made = paymentMethod.id
    return paymentMethod.id
  }
}
