/**
 * Fields of Stripe in a shop's own page, for the same `pl-input` elements that otherwise hold frames of the service;
 * plain JavaScript. Stripe's separate fields must share one document, so they cannot be in frames of the service.
 */
export const RAIL_PAGE_FIELD = `
/** Types of Stripe's fields by the names of secure fields. */
const RAIL_TYPES = { card: 'card', card_number: 'cardNumber', expiry: 'cardExpiry', card_code: 'cardCvc', cvc: 'cardCvc' }
const railScripts = new Map()

/** Milliseconds after which fields that have not appeared count as blocked. */
const RAIL_PATIENCE = 20000

function keptAway(host) {
  return componentError({
    error_type: 'ServiceUnavailable',
    error_description: 'The fields did not load: something keeps ' + host + ' away. Nothing was paid',
  })
}

/** Loads the script of a gateway once; rejects if the network or a content blocker stops it. */
function loadRail(address) {
  const known = railScripts.get(address)
  if (known) return known
  const loading = new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.addEventListener('load', () => resolve(undefined))
    script.addEventListener('error', () => {
      railScripts.delete(address)
      reject(keptAway(new URL(address).host))
    })
    script.src = address
    document.head.append(script)
  })
  railScripts.set(address, loading)
  return loading
}

/** Fields of one form, which make one token. */
class RailFields {
  #fields = new Map()
  /** The token of the present input: input that is sent again after a success is the same payment. */
  #made
  constructor({ script, settings: { publishableKey, stripeAccount } }) {
    this.host = new URL(script).host
    this.ready = loadRail(script).then(() => {
      // A content blocker may have replaced the script by an empty one.
      if (!window.Stripe) throw keptAway(this.host)
      this.stripe = window.Stripe(publishableKey, stripeAccount === undefined ? {} : { stripeAccount })
      this.elements = this.stripe.elements()
    })
    this.ready.catch(() => undefined)
  }

  takes(element) {
    return Object.hasOwn(RAIL_TYPES, nameOf(element))
  }

  add(name, element) {
    this.#fields.set(name, element)
  }

  remove(name) {
    this.#fields.delete(name)
  }

  /** Discards the token, after new input or a refusal. */
  forget() {
    this.#made = undefined
  }

  /** The token of the input; throws an error in the shape of the components. */
  async token({ account_holder: name, billing_address: address }) {
    if (this.#made !== undefined) return this.#made
    const card = this.#fields.get('card') ?? this.#fields.get('card_number')
    const { paymentMethod, error } = await this.stripe.createPaymentMethod({
      type: 'card',
      card,
      billing_details: {
        ...(name ? { name } : {}),
        ...(address?.postal_code ? { address: { postal_code: String(address.postal_code) } } : {}),
      },
    })
    if (!error) return (this.#made = paymentMethod.id)
    const wrong = /expiry|exp_/.test(error.code ?? '') ? 'expiry' : /cvc/.test(error.code ?? '') ? 'card_code' : 'card_number'
    throw Object.assign(componentError({
      error_type: 'InvalidAttributes',
      error_description: error.message,
      details: { payment_method: { card: { [wrong]: error.message } } },
    }), { field: wrong })
  }
}

/** A secure field that a gateway's script shows in the page; has the same methods as PageField. */
class RailPageField {
  #element
  #name
  #isEmpty = true
  #rail
  constructor(element, form, label, rail) {
    this.element = element
    this.label = label
    this.#rail = rail
    this.#name = nameOf(element) === 'cvc' ? 'card_code' : nameOf(element)
    element.classList.add('pl-input', 'pl-input-sec')
    this.focusOnClick = ({ target }) => {
      if (!element.contains(target)) this.focus()
    }
    label?.addEventListener('click', this.focusOnClick)
    this.ready = rail.ready.then(() => this.#mount(form))
    this.ready.catch(() => undefined)
  }

  get isEmpty() {
    return this.#isEmpty
  }

  #mount(form) {
    const { elements } = this.#rail
    const placeholder = this.element.getAttribute('placeholder') ?? undefined
    const type = RAIL_TYPES[nameOf(this.element)]
    const { color, fontFamily, fontSize } = getComputedStyle(this.element)
    const options = { style: { base: { color, fontFamily, fontSize } } }
    if (type === 'card') Object.assign(options, { hidePostalCode: true })
    else if (placeholder !== undefined) Object.assign(options, { placeholder })
    const made = elements.create(type, options)
    this.#element = made
    this.#rail.add(this.#name, made)
    const { classList } = this.element
    made.on('change', ({ complete, empty, brand, error }) => {
      this.#isEmpty = empty
      this.#rail.forget()
      form.emit('change', { target: this.element, complete, empty, brand })
      this.refuse(form, error?.message)
    })
    for (const event of ['focus', 'blur'])
      made.on(event, () => {
        classList.toggle('pl-focus', event === 'focus')
        form.emit(event, { target: this.element })
      })
    return new Promise((resolve, reject) => {
      made.on('ready', () => resolve(undefined))
      made.mount(this.element)
      setTimeout(() => reject(keptAway(this.#rail.host)), RAIL_PATIENCE)
    })
  }

  /** Shows a problem of the field, or removes it if message is undefined. */
  refuse(form, message) {
    const { classList } = this.element
    if (message === undefined && !classList.contains(form.invalidClass)) return
    classList.toggle(form.invalidClass, message !== undefined)
    form.emit(message === undefined ? 'valid' : 'invalid', { target: this.element, ...(message !== undefined && { message }) })
  }

  isNamed(name) {
    return this.#name === name || this.#name === 'card'
  }

  focus() {
    this.#element?.focus()
  }

  clear() {
    this.#element?.clear()
  }

  end() {
    this.label?.removeEventListener('click', this.focusOnClick)
    this.#rail.remove(this.#name)
    this.#element?.destroy()
  }
}
`
