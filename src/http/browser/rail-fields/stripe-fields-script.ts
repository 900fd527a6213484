/**
 * Stripe's fields for number, expiry and code, mounted in a box of a page. Plain JavaScript; a test compiles it against the
 * types of `@stripe/stripe-js`.
 */
export const STRIPE_FIELDS = `
/** Stripe's types of fields, by the names of fields of this service. */
const STRIPE_TYPES = { card_number: 'cardNumber', expiry: 'cardExpiry', card_code: 'cardCvc' }

/** Stripe's object for a publishable key, in the account of a merchant if one is named; its script must be loaded. */
function stripeOf(settings) {
  if (!window.Stripe) throw new Error('The script of Stripe was not loaded')
  /** @type {import('@stripe/stripe-js').StripeElementLocale} */
  const locale = document.documentElement.lang === 'fr' ? 'fr' : document.documentElement.lang === 'es' ? 'es' : 'en'
  const { publishableKey, stripeAccount } = settings
  return window.Stripe(publishableKey, stripeAccount === undefined ? { locale } : { locale, stripeAccount })
}

/** The field of this service that an error code of Stripe is about. */
function stripeFieldOf(code) {
  if (/expiry|exp_/.test(code)) return 'expiry'
  return /cvc/.test(code) ? 'card_code' : 'card_number'
}

railFields.stripe = {
  async mount(box, settings) {
    const stripe = stripeOf(settings)
    const elements = stripe.elements()
    const { color, fontFamily } = getComputedStyle(box)
    const style = { base: { color, fontFamily, fontSize: '16px' } }
    const number = elements.create('cardNumber', { style, showIcon: true })
    const expiry = elements.create('cardExpiry', { style })
    const code = elements.create('cardCvc', { style })
    const shown = { card_number: number, expiry, card_code: code }
    const place = (name) => box.querySelector('[data-rail-field=' + name + ']')
    const clear = (name) => (event) => markRail(box, name, event.error?.message)
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
      focus: (name) => (shown[name] ?? number).focus(),
      async token({ holder, postalCode }) {
        const { paymentMethod, error } = await stripe.createPaymentMethod({
          type: 'card',
          card: number,
          billing_details: {
            ...(holder ? { name: holder } : {}),
            ...(postalCode ? { address: { postal_code: postalCode } } : {}),
          },
        })
        if (error) return { problem: error.message ?? '', at: stripeFieldOf(error.code ?? '') }
        return { token: paymentMethod.id }
      },
    }
  },
}
`
