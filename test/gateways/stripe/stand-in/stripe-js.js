// @ts-check
/*
 * A substitute for Stripe.js, for tests of pages without internet. It shows the fields, and creates a PaymentMethod
 * from them. It is as strict as Stripe's reference: it throws for a secret key and for unknown options. It also throws
 * for a field that is created twice or mounted nowhere. A test compiles it against the types of `@stripe/stripe-js`,
 * like our page's script.
 */
/** @typedef {import('@stripe/stripe-js').PaymentMethodResult} Result */
/** @typedef {'card' | 'cardNumber' | 'cardExpiry' | 'cardCvc'} FieldType */
/** @typedef {{ type: string, elementType: FieldType, session: string, empty: boolean, complete: boolean, error?: object, brand?: string }} Said */
{
  const script = /** @type {HTMLScriptElement} */ (document.currentScript)
  const { origin } = new URL(script.src)
  const TYPES = ['card', 'cardNumber', 'cardExpiry', 'cardCvc']
  const TITLES = {
    card: 'Secure card payment input frame',
    cardNumber: 'Secure card number input frame',
    cardExpiry: 'Secure expiration date input frame',
    cardCvc: 'Secure CVC input frame',
  }

  /** @param {string} message @returns {never} */
  const fail = (message) => {
    const error = new Error(message)
    error.name = 'IntegrationError'
    throw error
  }

  /**
   * Throws for an option that Stripe's reference does not have. @param {string} call @param {object} given @param
   * {readonly string[]} known
   */
  const expectKnown = (call, given, known) => {
    for (const name of Object.keys(given))
      if (!known.includes(name)) fail(`Invalid ${call} parameter: ${name} is not an accepted parameter.`)
  }

  class Field {
    /** @param {FieldType} type @param {string} session */
    constructor(type, session) {
      this.type = type
      this.session = session
      /** @type {HTMLIFrameElement | undefined} */
      this.frame = undefined
      this.isDestroyed = false
      /** @type {Map<string, ((event: object) => void)[]>} */
      this.handlers = new Map()
    }

    /** @param {string | HTMLElement} place */
    mount(place) {
      const container = typeof place === 'string' ? document.querySelector(place) : place
      if (!container)
        fail(
          `The selector you specified (${place}) applies to no DOM elements that are currently on the page.`,
        )
      if (this.frame) return
      const frame = document.createElement('iframe')
      frame.src = `${origin}/elements/${this.type}#${this.session}`
      frame.title = TITLES[this.type]
      frame.name = `__privateStripeFrame-${this.type}`
      frame.style.setProperty('border', '0')
      frame.style.setProperty('width', '100%')
      frame.style.setProperty('height', '1.2em')
      frame.style.setProperty('display', 'block')
      this.frame = frame
      container.replaceChildren(frame)
    }

    /** @param {string} event @param {(event: object) => void} handler */
    on(event, handler) {
      const known = ['change', 'ready', 'focus', 'blur', 'escape', 'networkschange', 'loaderror']
      if (!known.includes(event)) fail(`Invalid event name: ${event}.`)
      this.handlers.set(event, [...(this.handlers.get(event) ?? []), handler])
      return this
    }

    focus() {
      this.frame?.contentWindow?.postMessage({ stripe: 'focus' }, origin)
    }

    /** @param {Said} said */
    hear(said) {
      const { type, session: _, ...event } = said
      for (const handler of this.handlers.get(type) ?? []) handler(event)
    }

    clear() {
      this.frame?.contentWindow?.postMessage({ stripe: 'clear' }, origin)
    }

    unmount() {
      this.frame?.remove()
      this.frame = undefined
    }

    destroy() {
      if (this.isDestroyed) fail('This Element has already been destroyed. Please create a new one.')
      this.isDestroyed = true
      this.unmount()
    }
  }

  /** @param {string} key @param {{ stripeAccount?: string }} options */
  const objectFor = (key, options) => ({
    /** @param {object} given */
    elements(given = {}) {
      expectKnown('elements()', given, [
        'fonts',
        'locale',
        'appearance',
        'mode',
        'clientSecret',
        'customerSessionClientSecret',
      ])
      const session = crypto.randomUUID()
      /** @type {Map<string, Field>} */
      const made = new Map()
      addEventListener('message', ({ origin: from, data }) => {
        if (from === origin && data?.session === session) made.get(data.elementType)?.hear(data)
      })
      return {
        /** @param {FieldType} type @param {object} [more] */
        create(type, more = {}) {
          if (!TYPES.includes(type)) fail(`A valid Element name must be provided. You specified: ${type}.`)
          if (made.get(type)?.isDestroyed === false) fail(`Can't create more than one ${type} Element.`)
          expectKnown(`create('${type}')`, more, [
            'classes',
            'style',
            'placeholder',
            'disabled',
            'showIcon',
            'iconStyle',
            'disableLink',
            'preferredNetwork',
            ...(type === 'card' ? ['hidePostalCode', 'hideIcon', 'value'] : []),
          ])
          const field = new Field(type, session)
          made.set(type, field)
          return field
        },
        /** @param {string} type */
        getElement: (type) => made.get(type) ?? null,
      }
    },

    /**
     * @param {{ type: string, card: Field, billing_details?: object, metadata?: object }} data
     * @returns {Promise<Result>}
     */
    async createPaymentMethod(data) {
      expectKnown('createPaymentMethod()', data, [
        'type',
        'card',
        'billing_details',
        'metadata',
        'radar_options',
      ])
      const { type, card, billing_details = {} } = data
      if (type !== 'card')
        fail(`Invalid value for createPaymentMethod(): type should be card here. You specified: ${type}.`)
      expectKnown('billing_details', billing_details, ['address', 'email', 'name', 'phone'])
      if (!(card instanceof Field) || (card.type !== 'card' && card.type !== 'cardNumber'))
        fail('card must be an Element of type card or cardNumber.')
      const target = card.frame?.contentWindow
      if (!target || !document.contains(card.frame ?? null))
        fail(
          'We could not retrieve data from the specified Element. Please make sure the Element you are attempting to use is still mounted.',
        )
      const { port1, port2 } = new MessageChannel()
      const answered = new Promise((resolve) => {
        port1.onmessage = ({ data: answer }) => resolve(answer)
      })
      const account = options.stripeAccount
      target.postMessage({ stripe: 'tokenize', key, account, billing_details }, origin, [port2])
      return await answered
    },

    /**
     * Shows the page of the bank in an overlay until the payer has answered.
     *
     * @param {{ clientSecret: string }} given
     * @returns {Promise<import('@stripe/stripe-js').PaymentIntentOrSetupIntentResult>}
     */
    handleNextAction(given) {
      expectKnown('handleNextAction()', given, ['clientSecret'])
      const { clientSecret } = given
      const [id] = clientSecret.split('_secret_')
      if (!/^(pi|seti)_\d+_secret_\w+$/.test(clientSecret))
        fail(
          `Invalid value for handleNextAction(): clientSecret should be a client secret of the form {id}_secret_{secret}.`,
        )
      const frame = document.createElement('iframe')
      frame.title = 'Your bank'
      const { stripeAccount } = options
      frame.src = `${origin}/challenge/${id}${stripeAccount === undefined ? '' : `?account=${stripeAccount}`}`
      const style = {
        position: 'fixed',
        inset: '0',
        width: '100%',
        height: '100%',
        border: '0',
        'z-index': '2147483647',
        background: '#fff',
      }
      for (const [name, value] of Object.entries(style)) frame.style.setProperty(name, value)
      document.body.append(frame)
      return new Promise((resolve) => {
        addEventListener('message', function over({ origin: from, data }) {
          if (from !== origin || data?.clientSecret !== clientSecret) return
          removeEventListener('message', over)
          frame.remove()
          resolve(data.result)
        })
      })
    },
  })

  /** @param {string} key @param {{ stripeAccount?: string, locale?: string, apiVersion?: string }} [options] */
  const construct = (key, options = {}) => {
    if (typeof key !== 'string' || key === '')
      fail('Please call Stripe() with your publishable key. You used an empty string.')
    if (/^(sk|rk)_/.test(key)) fail('You should not use your secret key with Stripe.js.')
    if (!/^pk_(test|live)_/.test(key)) fail(`Invalid API Key provided: ${key.slice(0, 8)}`)
    expectKnown('Stripe()', options, [
      'apiVersion',
      'betas',
      'locale',
      'stripeAccount',
      'maxNetworkRetries',
      'developerTools',
    ])
    return objectFor(key, options)
  }
  Object.assign(window, { Stripe: construct })
}
