import type { Stripe, StripeElementBase, StripeElementLocale } from '@stripe/stripe-js'
import { stripeFieldName } from '../frames/stripe-field-name.js'
import { markRail } from './mark-rail.js'
import type { RailKind } from './rail-kind.js'

/** Settings of Stripe's fields: a publishable key, and the account of a merchant if one is named. */
type Settings = Readonly<Record<string, string>>

/** Stripe's object for a publishable key; its script must be loaded. */
function stripeOf({ publishableKey = '', stripeAccount }: Settings): Stripe {
  if (!window.Stripe) throw new Error('The script of Stripe was not loaded')
  const { lang } = document.documentElement
  const locale: StripeElementLocale = lang === 'fr' || lang === 'es' ? lang : 'en'
  return window.Stripe(publishableKey, stripeAccount === undefined ? { locale } : { locale, stripeAccount })
}

/** Stripe's fields for number, expiry and code, mounted in a box of a page. */
export const stripeFields: RailKind = {
  async mount(box, settings) {
    const stripe = stripeOf(settings)
    const elements = stripe.elements()
    const { color, fontFamily } = getComputedStyle(box)
    const style = { base: { color, fontFamily, fontSize: '16px' } }
    const number = elements.create('cardNumber', { style, showIcon: true })
    const expiry = elements.create('cardExpiry', { style })
    const code = elements.create('cardCvc', { style })
    const shown = new Map<string | undefined, Pick<StripeElementBase, 'focus'>>([
      ['expiry', expiry],
      ['card_code', code],
    ])
    const place = (name: string) => `[data-rail-field=${name}]`
    const clear = (name: string) => (event: { readonly error: { readonly message: string } | undefined }) =>
      markRail(box, name, event.error?.message)
    number.on('change', clear('card_number'))
    expiry.on('change', clear('expiry'))
    code.on('change', clear('card_code'))
    const ready = [
      new Promise((resolve) => number.on('ready', resolve)),
      new Promise((resolve) => expiry.on('ready', resolve)),
      new Promise((resolve) => code.on('ready', resolve)),
    ]
    number.mount(place('card_number'))
    expiry.mount(place('expiry'))
    code.mount(place('card_code'))
    await Promise.all(ready)
    return {
      focus: (name) => (shown.get(name) ?? number).focus(),
      async token({ holder, postalCode }) {
        const { paymentMethod, error } = await stripe.createPaymentMethod({
          type: 'card',
          card: number,
          billing_details: {
            ...(holder ? { name: holder } : {}),
            ...(postalCode ? { address: { postal_code: postalCode } } : {}),
          },
        })
        if (error) return { problem: error.message ?? '', at: stripeFieldName(error.code) }
        return { token: paymentMethod.id }
      },
    }
  },
}
