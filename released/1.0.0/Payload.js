/*! payctl: components for pages that take payments. */
(() => {
'use strict'
const FIELDS_URL = null

/** 32 random hexadecimal digits; crypto.randomUUID is missing in pages without TLS. */
function randomHex() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** A component of the page: on adds a listener and returns the component, emit calls the listeners in order. */
class Component {
  #listeners = []
  on(event, listener) {
    this.#listeners.push([event, listener])
    return this
  }
  emit(event, payload) {
    for (const [name, listener] of [...this.#listeners]) {
      if (name !== event) continue
      try {
        listener({ type: event, ...payload })
      } catch (error) {
        // A failing listener of the page must not end a payment half way.
        reportError(error)
      }
    }
  }
}

/** Details with a flat key for each nested one, as in { a: { b: 'x' }, 'a[b]': 'x' }. */
function withFlatKeys(details) {
  const flat = {}
  const collect = (value, path) => {
    if (value === null || typeof value !== 'object') flat[path] = value
    else for (const [name, inner] of Object.entries(value)) collect(inner, path + '[' + name + ']')
  }
  for (const [name, value] of Object.entries(details)) collect(value, name)
  return { ...flat, ...details }
}

/** An error with the answer of the service as its data. */
function componentError({ error_type, error_description, details }) {
  const error = new Error(error_description)
  error.data = { error_type, error_description, details: withFlatKeys(details ?? {}) }
  return error
}

/** Calls receive with each message of a window of the service that has the nonce. Returns a function that stops it. */
function receiveFrom(windowOf, origin, nonce, receive) {
  const listener = ({ origin: from, source, data }) => {
    if (from === origin && source !== null && source === windowOf() && data?.payctl === nonce) receive(data)
  }
  addEventListener('message', listener)
  return () => removeEventListener('message', listener)
}

/** Address of the service that this script came from, with a slash at its end. */
const SCRIPT_URL = document.currentScript?.src ? new URL('.', document.currentScript.src).href : undefined

/** Client key of the components that are made from now on. */
let clientKey

function Payload(key) {
  if (typeof key !== 'string' || key === '') throw new TypeError('Payload(clientKey): a client key is required')
  clientKey = key
  return Payload
}

Payload.api_url = SCRIPT_URL

/** The client key. Throws before Payload(clientKey) was called. */
function requiredKey() {
  if (!clientKey) throw new TypeError('Call Payload(clientKey) first')
  return clientKey
}

/** An address of the service; a page may have set another service as api_url. */
function serviceUrl(path) {
  if (!Payload.api_url) throw new TypeError('Set Payload.api_url: a module does not know where it came from')
  return new URL(path, String(Payload.api_url).replace(/\/*$/, '/'))
}

/** An address of the frames, which may have an origin of their own. */
function fieldsUrl(path) {
  return FIELDS_URL && serviceUrl('').href === SCRIPT_URL ? new URL(path, FIELDS_URL) : serviceUrl(path)
}

window.Payctl = Payload
window.Payload ??= Payload

/** An element of the page, which may be given by its selector or id; undefined for none. */
function elementOf(given) {
  if (given === undefined || given === null || given === '') return undefined
  if (typeof given !== 'string') return given.nodeType === Node.ELEMENT_NODE ? given : given[0]
  return document.getElementById(given) ?? document.querySelector(given) ?? undefined
}

/** Reads or changes the session storage of this page; undefined if the browser refuses it. */
function stored(change) {
  try {
    return change(sessionStorage) ?? undefined
  } catch {
    return undefined
  }
}

/** Puts an id into a form of the page, and submits the form if it should be. */
function submitWith(form, name, value, isSubmitted) {
  const field = form.querySelector('input[name="' + name + '"]') ?? document.createElement('input')
  field.type = 'hidden'
  field.name = name
  field.value = value
  form.append(field)
  if (isSubmitted) HTMLFormElement.prototype.submit.call(form)
}

/** Secure fields by their name, each with a title for its frame, used if the page gives it no label. */
const SECURE = {
  card: 'Card',
  card_number: 'Card number',
  expiry: 'Expiry',
  card_code: 'Security code',
  cvc: 'Security code',
  account_number: 'Account number',
  routing_number: 'Routing number',
}

const nameOf = (element) => element.getAttribute('pl-input') ?? ''
const isSecure = (element) => Object.hasOwn(SECURE, nameOf(element)) && !element.matches('input, select, textarea')

/** A frame of the service; ready resolves once its script has started. */
class ServiceFrame {
  #address
  constructor(name, { key, group }, receive) {
    this.#address = fieldsUrl('fields/' + name)
    this.#address.search = new URLSearchParams({ key, group })
    this.group = group
    this.element = document.createElement('iframe')
    this.element.setAttribute('frameborder', '0')
    this.element.src = this.#address.href
    this.ready = new Promise((resolve, reject) => {
      this.end = receiveFrom(() => this.element.contentWindow, this.#address.origin, group, (data) => {
        if (data.type === 'ready') resolve()
        receive(data)
      })
      this.element.addEventListener('load', () => setTimeout(() => reject(refusedFrame()), 3000), { once: true })
    })
    this.ready.catch(() => undefined)
  }

  post(type, more) {
    this.element.contentWindow?.postMessage({ payctl: this.group, type, ...more }, this.#address.origin)
  }
}

function refusedFrame() {
  return componentError({
    error_type: 'Forbidden',
    error_description: 'The fields did not load: is the client key active, and for pages of ' + location.origin + '?',
  })
}

/** Properties of an element that its frame takes over. */
const INHERITED = ['color', 'color-scheme', 'font-family', 'font-size', 'font-style', 'font-weight', 'letter-spacing', 'line-height', 'text-align']

/** Secure fields of bank accounts; all others are of cards. */
const BANK_FIELDS = ['account_number', 'routing_number']

/** A secure field of a method that is not accepted: shows this before a number is typed. */
class ClosedField {
  isEmpty = true
  constructor(element, text) {
    this.element = element
    element.classList.add('pl-input')
    element.textContent = text
    const error_description = text + '. Nothing was paid'
    this.ready = Promise.reject(componentError({ error_type: 'ServiceUnavailable', error_description }))
    this.ready.catch(() => undefined)
  }

  focus() {}
  clear() {}

  end() {
    this.element.textContent = ''
  }
}

class PageField {
  #frame
  #isEmpty = true
  constructor(element, form, label) {
    this.element = element
    this.label = label
    element.classList.add('pl-input', 'pl-input-sec')
    this.#frame = new ServiceFrame(nameOf(element), form, (data) => this.#receive(data, form))
    const frame = this.#frame.element
    frame.title = label?.textContent.trim() || element.getAttribute('aria-label') || SECURE[nameOf(element)]
    frame.allow = 'autofill; shared-autofill'
    frame.scrolling = 'no'
    frame.style.setProperty('display', 'block')
    frame.style.setProperty('width', '100%')
    frame.style.setProperty('height', '1.5em')
    element.replaceChildren(frame)
    this.focusOnClick = ({ target }) => {
      if (!element.contains(target)) this.focus()
    }
    label?.addEventListener('click', this.focusOnClick)
  }

  get ready() {
    return this.#frame.ready
  }

  get isEmpty() {
    return this.#isEmpty
  }

  #start() {
    const style = getComputedStyle(this.element)
    this.#frame.post('start', {
      label: this.label?.textContent.trim() || this.element.getAttribute('aria-label') || undefined,
      placeholder: this.element.getAttribute('placeholder') ?? undefined,
      disablePaste: ![null, 'false'].includes(this.element.getAttribute('disable-paste')),
      style: Object.fromEntries(INHERITED.map((name) => [name, style.getPropertyValue(name)])),
    })
  }

  #receive({ type, message, pixels, complete, empty, brand }, form) {
    const { classList } = this.element
    switch (type) {
      case 'ready':
        this.#start()
        break
      case 'height':
        if (pixels > 0) this.#frame.element.style.setProperty('height', Number(pixels) + 'px')
        break
      case 'focus':
      case 'blur':
        classList.toggle('pl-focus', type === 'focus')
        form.emit(type, { target: this.element })
        break
      case 'change':
        this.#isEmpty = empty
        form.emit('change', { target: this.element, complete, empty, brand })
        break
      case 'valid':
      case 'invalid':
        classList.toggle(form.invalidClass, type === 'invalid')
        form.emit(type, { target: this.element, ...(type === 'invalid' && { message }) })
        break
      case 'enter':
        form.enter(this)
        break
    }
  }

  focus() {
    this.#frame.element.focus()
    this.#frame.post('focus')
  }

  clear() {
    this.#frame.post('clear')
  }

  end() {
    this.#frame.end()
    this.label?.removeEventListener('click', this.focusOnClick)
    this.#frame.element.remove()
  }
}

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

/** Attributes of a payment method that an input may name without payment_method before them. */
const OF_A_METHOD = ['account_holder', 'billing_address', 'keep_active', 'default_payment_method', 'phone_number']

/** The path of an attribute that an input names: in a payment, 'billing_address[postal_code]' belongs to its method. */
function attributePath(name, path) {
  const parts = name.split(/[[\]]+/).filter((part) => part !== '')
  const whole = parts[0] === 'account_type' ? ['bank_account', ...parts] : parts
  if (path === 'payment_methods') return whole[0] === 'payment_method' ? whole.slice(1) : whole
  if (whole[0] === 'payment') return whole.slice(1)
  return OF_A_METHOD.includes(whole[0]) || whole[0] === 'bank_account' ? ['payment_method', ...whole] : whole
}

function put(object, [name, ...rest], value) {
  if (rest.length === 0) object[name] = value
  else put((object[name] = { ...object[name] }), rest, value)
}

/** Inputs of a form that the page reads, with the paths of their attributes. */
function inputsOf(form, path) {
  return [...form.querySelectorAll('[pl-input]')]
    .filter((element) => !Object.hasOwn(SECURE, nameOf(element)) && nameOf(element) !== '')
    .map((element) => [element, attributePath(nameOf(element), path)])
}

/** The body of a request, from the inputs besides the secure fields. */
function bodyOf(form, path, { payment, payment_method }) {
  const body = path === 'transactions' ? { ...payment } : { ...payment_method }
  if (path === 'transactions' && payment_method) body.payment_method = { ...body.payment_method, ...payment_method }
  for (const [element, at] of inputsOf(form, path)) {
    const { type, checked } = element
    if (element.disabled || ((type === 'checkbox' || type === 'radio') && !checked)) continue
    const value = String(element.value ?? '').trim()
    if (value !== '') put(body, at, at.at(-1) === 'amount' ? value.replace(/,(?=\d{3}(\D|$))/g, '') : value)
  }
  return JSON.parse(JSON.stringify(body))
}

/** The problem of an attribute in the details of an error; undefined for none. */
function problemAt(details, at) {
  const found = at.reduce((value, name) => value?.[name], details)
  return typeof found === 'string' ? found : undefined
}

const HOSTED_STYLE = `
iframe[data-payctl] { display: block; width: 100%; height: 40rem; border: 0; }
dialog[data-payctl] { box-sizing: border-box; width: min(36rem, 100vw); max-width: none; height: min(48rem, 100dvh); max-height: none;
  padding: 0; border: 0; border-radius: 0.75rem; overflow: hidden; background: Canvas; }
dialog[data-payctl] iframe { height: 100%; }
dialog[data-payctl]::backdrop { background: rgb(0 0 0 / 0.55); }
div[data-payctl] { position: fixed; inset: 0; z-index: 2147483647; box-sizing: border-box; width: 100%; max-width: none; height: 100%;
  max-height: none; margin: 0; padding: 0; border: 0; overflow: hidden; background: Canvas; }
div[data-payctl] iframe { height: 100%; }
`
let hostedSheet

/** Adds the stylesheet to the document, once. */
function styleHosted() {
  if (hostedSheet) return
  hostedSheet = new CSSStyleSheet()
  hostedSheet.replaceSync(HOSTED_STYLE)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, hostedSheet]
}

/** Opens a window in the middle of the page's; null where the browser allows none. */
function openWindow(address) {
  const left = window.screenX + Math.max(0, (window.outerWidth - 520) / 2)
  return window.open(address, '_blank', 'popup,width=520,height=720,left=' + left)
}

/** Calls gone once the user has closed a window. Returns a function that stops waiting. */
function whenClosed(opened, gone) {
  let waiting
  const poll = setInterval(() => {
    if (!opened.closed) return
    clearInterval(poll)
    // Its last message may still be on the way.
    waiting = setTimeout(gone, 500)
  }, 500)
  return () => {
    clearInterval(poll)
    clearTimeout(waiting)
  }
}

/** A component that is a page of the service; it receives the events that the page sends. */
class HostedComponent extends Component {
  #nonce = randomHex()
  #address
  #title
  #end = []
  #isLoaded = false
  #isOver = false
  #place

  /** The page below /components/ with the parameters that have a value; the title names its frame. */
  constructor(page, title, parameters) {
    super()
    this.#title = title
    this.#address = fieldsUrl('components/' + page)
    const given = { ...parameters, key: requiredKey(), origin: location.origin, nonce: this.#nonce }
    for (const [name, value] of Object.entries(given))
      if (value !== undefined && value !== null && value !== '') this.#address.searchParams.set(name, value)
    this.#place = ['payctl', page, given.key, given.amount].join(' ')
    const attempt = stored((storage) => storage.getItem(this.#place))
    if (attempt) this.#address.searchParams.set('attempt', attempt)
  }

  /** Shows the service's page in an element of the shop's page. */
  showIn(container) {
    const frame = this.#frame()
    container.append(frame)
    this.#end.push(() => frame.remove())
    this.#receive(() => frame.contentWindow, ({ height }) => {
      // An attribute and not a style: a policy may forbid styles of elements.
      const rule = 'iframe[data-payctl="' + this.#nonce + '"] { height: ' + (Number(height) || 0) + 'px; }'
      this.#sheet ??= this.#addSheet()
      this.#sheet.replaceSync(rule)
    })
  }

  #sheet
  #addSheet() {
    const sheet = new CSSStyleSheet()
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    this.#end.push(() => (document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)))
    return sheet
  }

  /** Shows the service's page in a dialog over the shop's page. */
  showOver() {
    this.#address.searchParams.set('modal', '1')
    const frame = this.#frame()
    const dialog = document.createElement('dialog')
    dialog.setAttribute('data-payctl', '')
    dialog.setAttribute('aria-label', this.#title)
    dialog.append(frame)
    document.body.append(dialog)
    this.#receive(() => frame.contentWindow)
    dialog.addEventListener('cancel', (event) => {
      if (!this.#isLoaded) return
      event.preventDefault()
      // The service's page closes itself, but not while a payment is under way.
      frame.contentWindow.postMessage({ payctl: this.#nonce, event: 'close' }, this.#address.origin)
    })
    dialog.addEventListener('close', () => this.close())
    this.#end.push(() => {
      // Closing gives the focus back to where it was.
      dialog.close()
      dialog.remove()
    })
    dialog.showModal()
  }

  /**
   * Shows the service's page over the whole shop's page, without a modal dialog of its own. If the element is in an
   * open dialog, the overlay belongs to that dialog, as nothing else can be used while it is open.
   */
  showInFront(element) {
    const place = element.closest('dialog[open]') ?? document.body
    const before = document.activeElement
    const frame = this.#frame()
    const overlay = document.createElement('div')
    overlay.setAttribute('data-payctl', '')
    overlay.setAttribute('role', 'dialog')
    overlay.setAttribute('aria-modal', 'true')
    overlay.setAttribute('aria-label', this.#title)
    // In front of everything, where the browser can do that.
    if ('popover' in overlay) overlay.popover = 'manual'
    overlay.append(frame)
    this.#receive(() => frame.contentWindow)
    const covered = [...place.children].filter(({ inert }) => !inert)
    for (const each of covered) each.inert = true
    place.append(overlay)
    if (overlay.popover) overlay.showPopover()
    frame.focus()
    this.#end.push(() => {
      for (const each of covered) each.inert = false
      overlay.remove()
      before?.focus()
    })
    return frame
  }

  /** Shows the service's page in a window of its own. Returns whether the browser allows one. */
  showApart() {
    this.#address.searchParams.set('modal', '1')
    const opened = openWindow(this.#address)
    if (!opened) return false
    this.#receive(() => opened)
    this.#end.push(whenClosed(opened, () => this.close()), () => opened.close())
    return true
  }

  /** Removes the service's page, and emits the event closed. */
  close() {
    if (this.#isOver) return
    this.#isOver = true
    for (const end of this.#end) end()
    this.emit('closed', {})
  }

  /** Handles an event of the service's page; by default passes it on to the listeners. */
  received(event, payload) {
    this.emit(event, payload)
  }

  #frame() {
    styleHosted()
    const frame = document.createElement('iframe')
    frame.setAttribute('data-payctl', this.#nonce)
    frame.title = this.#title
    frame.allow = 'autofill; shared-autofill'
    frame.src = this.#address
    return frame
  }

  #receive(windowOf, resize = () => undefined) {
    const receive = ({ payctl: _, event, ...payload }) => {
      if (event === 'resized') resize(payload)
      else if (event === 'sending') stored((storage) => storage.setItem(this.#place, payload.attempt))
      else if (event === 'answered') stored((storage) => storage.removeItem(this.#place))
      else if (event === 'closed') this.close()
      else if (event !== 'loaded') this.received(event, payload)
      else if (!this.#isLoaded) {
        this.#isLoaded = true
        this.emit('loaded', {})
      }
    }
    this.#end.push(receiveFrom(windowOf, this.#address.origin, this.#nonce, receive))
  }
}

/** Events of the page that decide the outcome. */
const DECIDED = ['processed', 'authorized', 'created', 'declined', 'error']

/** The page on which a payer confirms a payment or a method with the bank; its outcome is a promise of the event. */
class PayerAction extends HostedComponent {
  #decide
  #isShown = false

  /** Opens the step with an id and a signature from the service, for the form that waits for it. */
  constructor({ id, signature }, form) {
    super('authenticate', 'Confirm with your bank', { action: id, signature })
    this.outcome = new Promise((resolve) => (this.#decide = resolve))
    this.on('loaded', () => (this.#isShown = true))
    const frame = this.showInFront(form)
    frame.allow = 'payment *; publickey-credentials-get *'
    // A page that sends no message within 5 seconds is not the service's page, but for example an error page.
    frame.addEventListener('load', () => setTimeout(() => this.#isShown || this.#end({ event: 'error' }), 5000), { once: true })
  }

  received(event, payload) {
    if (DECIDED.includes(event)) this.#end({ event, ...payload })
  }

  #end(outcome) {
    this.#decide(outcome)
    this.close()
  }
}

const forms = new WeakMap()

const FORM_MOVED = {
  error_type: 'ServiceUnavailable',
  error_description: 'The page moved the form before the answer came. Send it again: you are charged at most once.',
}

class Form extends Component {
  #form
  #path
  #controller
  #fields = new Map()
  #open = new Map()
  #running
  #rail
  #closed = {}
  #action
  #isReady = false
  #listening = new AbortController()

  constructor(options) {
    super()
    const given = options instanceof Element ? { form: options } : { ...options }
    const form = elementOf(given.form)
    if (!(form instanceof HTMLFormElement)) throw new TypeError('Payload.Form: form must be a form of this page')
    this.key = requiredKey()
    this.group = randomHex()
    this.params = given
    this.#form = form
    this.#path = form.getAttribute('pl-form') === 'payment_method' ? 'payment_methods' : 'transactions'
    forms.get(form)?.#end()
    forms.set(form, this)
    this.#controller = new ServiceFrame('controller', this, (data) => this.#receive(data))
    const { element } = this.#controller
    element.title = 'payctl'
    element.hidden = true
    element.tabIndex = -1
    element.width = element.height = 0
    form.append(element)
    this.#listen()
    // The controller reports whether a gateway has fields of its own. If the key is refused, the fields are mounted as
    // well, and each of them reports it.
    const mount = () => {
      this.#isReady = true
      if (!this.#listening.signal.aborted) this.#mount()
    }
    this.#controller.ready.then(mount, mount)
  }

  /**
   * Name under which the page keeps the idempotency key of its last request, until a refusal: a reload does not pay
   * again.
   */
  get #place() {
    return 'payctl ' + this.key
  }

  /** Class of an element whose value is wrong, which the page may rename. */
  get invalidClass() {
    return this.params.styles?.invalid ?? 'pl-invalid'
  }

  #end() {
    this.#listening.abort()
    this.#controller.end()
    this.#controller.element.remove()
    this.#action?.close()
    for (const field of this.#fields.values()) field.end()
  }

  #listen() {
    const { signal } = this.#listening
    const listen = (type, listener) => this.#form.addEventListener(type, listener, { signal })
    listen('submit', (event) => {
      if (event.defaultPrevented) return
      event.preventDefault()
      this.submit().catch(() => undefined)
    })
    listen('reset', () => {
      for (const field of this.#fields.values()) field.clear()
    })
    listen('keydown', (event) => {
      const isInput = event.target.localName === 'input' && !['submit', 'button'].includes(event.target.type)
      if (event.key === 'Enter' && isInput && this.params.preventSubmitOnEnter) event.preventDefault()
    })
    for (const [type, event] of [['focusin', 'focus'], ['focusout', 'blur'], ['change', 'change'], ['input', 'input']])
      listen(type, ({ target }) => this.#tellOfInput(event, target))
    const observer = new MutationObserver(() => this.#mount())
    observer.observe(this.#form, { childList: true, subtree: true })
    signal.addEventListener('abort', () => observer.disconnect())
  }

  /** Events of inputs that the page itself may read. */
  #tellOfInput(event, target) {
    if (!nameOf(target) || Object.hasOwn(SECURE, nameOf(target))) return
    if (event === 'input') {
      if (!target.classList.contains(this.invalidClass)) return
      this.#markInput(target, undefined)
      this.emit('valid', { target })
    } else {
      target.classList.toggle('pl-focus', event === 'focus')
      this.emit(event, { target, ...(event === 'change' && { value: target.value }) })
    }
  }

  #markInput(element, message) {
    element.classList.toggle(this.invalidClass, message !== undefined)
    if (message === undefined) element.removeAttribute('aria-invalid')
    else element.setAttribute('aria-invalid', 'true')
  }

  /** Makes the frames of secure fields that are new in the form, and forgets those that were removed. */
  #mount() {
    if (!this.#isReady) return
    for (const [element, field] of this.#fields) {
      if (this.#form.contains(element)) continue
      field.end()
      this.#fields.delete(element)
    }
    for (const element of this.#form.querySelectorAll('[pl-input]'))
      if (isSecure(element) && !this.#fields.has(element))
        this.#fields.set(element, this.#fieldFor(element))
  }

  #fieldFor(element) {
    const label = this.#labelOf(element)
    const closed = this.#closed[BANK_FIELDS.includes(nameOf(element)) ? 'bank_account' : 'card']
    if (closed !== undefined) return new ClosedField(element, closed)
    return this.#rail?.takes(element) ? new RailPageField(element, this, label, this.#rail) : new PageField(element, this, label)
  }

  /** The label of an element: one that names its id, one around it, or one just before it. */
  #labelOf(element) {
    const named = element.id && [...this.#form.querySelectorAll('label')].find(({ htmlFor }) => htmlFor === element.id)
    const before = element.previousElementSibling
    return named || element.closest('label') || (before?.localName === 'label' && !before.htmlFor ? before : undefined)
  }

  /** Handles Enter in a secure field: moves on to the next empty field, or sends the form. */
  enter(field) {
    if (this.params.preventSubmitOnEnter) return
    const all = [...this.#form.querySelectorAll('[pl-input]')].map((element) => this.#fields.get(element)).filter(Boolean)
    const next = all.slice(all.indexOf(field) + 1).find(({ isEmpty }) => isEmpty)
    if (next) next.focus()
    else this.#form.requestSubmit()
  }

  #receive({ type, id, attempt, rail, closed, action, ...answer }) {
    if (type === 'ready') this.#closed = closed ?? {}
    if (type === 'ready' && rail) this.#rail ??= new RailFields(rail)
    if (type === 'sending') {
      stored((storage) => storage.setItem(this.#place, attempt))
      this.#controller.post('kept')
      this.emit('processing', {})
    }
    if (type === 'action') void this.#confirm(action)
    // The controller was loaded again, as when the page moves the form. Requests that were sent before get no answer.
    if (type === 'ready') {
      this.#action?.close()
      for (const answer of this.#open.values()) answer({ error: FORM_MOVED })
    }
    if (type !== 'answer') return
    if (answer.isRefused) stored((storage) => storage.removeItem(this.#place))
    this.#open.get(id)?.(answer)
    this.#open.delete(id)
  }

  /** Lets the payer confirm with the bank, and sends the outcome to the controller. */
  async #confirm(action) {
    this.#action = new PayerAction(action, this.#form)
    this.#controller.post('acted', { outcome: await this.#action.outcome })
  }

  /** Sends the form once: a submission during another one has the same outcome. */
  submit() {
    this.#running ??= this.#send().finally(() => (this.#running = undefined))
    return this.#running
  }

  async #send() {
    const answer = await this.#answer()
    if (answer.error) throw this.#fail(answer.error)
    const { id, status } = answer.object
    const name = this.#path === 'transactions' ? 'transaction_id' : 'payment_method_id'
    const result = { [name]: id }
    const event = this.#path === 'payment_methods' ? 'created' : status
    if (!answer.isRepeated) {
      if (['created', 'processed', 'authorized'].includes(event)) this.emit(event, result)
      this.emit('success', result)
    }
    const { autosubmit, preventDefaultOnSubmit } = this.params
    submitWith(this.#form, 'pl_' + name, id, autosubmit !== false && !preventDefaultOnSubmit)
    return result
  }

  async #answer() {
    try {
      await Promise.all([this.#controller.ready, ...[...this.#fields.values()].map(({ ready }) => ready)])
      const id = randomHex()
      const answered = new Promise((resolve) => this.#open.set(id, resolve))
      const names = [...this.#fields.keys()].map(nameOf)
      const body = bodyOf(this.#form, this.#path, this.params)
      const attempt = stored((storage) => storage.getItem(this.#place))
      const token = await this.#token(body)
      this.#controller.post('submit', { id, path: this.#path, names, body, attempt, token })
      return await answered
    } catch (error) {
      return { error: error.data ?? { error_type: 'BadRequest', error_description: error.message } }
    }
  }

  /** The token of the input in fields of a gateway; undefined for fields of the service. */
  async #token(body) {
    const fields = [...this.#fields.values()].filter((field) => field instanceof RailPageField)
    if (fields.length === 0) return undefined
    try {
      return await this.#rail.token((this.#path === 'transactions' ? body.payment_method : body) ?? {})
    } catch (error) {
      const wrong = fields.find((field) => field.isNamed(error.field))
      wrong?.refuse(this, error.message)
      wrong?.focus()
      throw error
    }
  }

  /** Reports a refusal or a decline to the page, and returns the error. */
  #fail(refused) {
    this.#rail?.forget()
    const error = componentError(refused)
    const { error_type, error_description, details } = error.data
    if (error_type === 'TransactionDeclined') {
      const { id: transaction_id, status_code, status_message } = details
      const message = status_message ?? error_description
      this.emit('declined', { transaction_id, message, status_code, error_type, error_description })
      return error
    }
    const wrong = inputsOf(this.#form, this.#path).flatMap(([element, at]) => {
      const message = problemAt(details, at)
      return message === undefined ? [] : [{ target: element, message }]
    })
    for (const { target, message } of wrong) {
      this.#markInput(target, message)
      this.emit('invalid', { target, message })
    }
    wrong[0]?.target.focus()
    this.emit('error', { message: error_description, error_type, error_description, details })
    return error
  }
}

/** Ways to pay that this service does not have: the page is called back with false, and shows no button. */
for (const name of ['applepay', 'googlepay', 'plaid'])
  Form.prototype[name] = function (...given) {
    const callback = given.find((each) => typeof each === 'function')
    if (!callback) throw componentError({ error_type: 'BadRequest', error_description: name + ' is not available' })
    queueMicrotask(() => callback(false))
    return this
  }

Payload.Form = Form

/** The form of payers in a container, or over the page: new Payload.Checkout({ form, amount, container, autosubmit }). */
Payload.Checkout = class Checkout extends HostedComponent {
  #form
  #autosubmit
  #isOver
  #declined = 0
  #isPaid = false

  constructor({ form, amount, container, autosubmit } = {}) {
    super('checkout', 'Checkout', { amount })
    this.#form = elementOf(form)
    this.#autosubmit = autosubmit !== false
    const place = elementOf(container)
    this.#isOver = !place
    if (place) this.showIn(place)
    else this.showOver()
  }

  received(event, payload) {
    if (event === 'declined') this.emit(event, { ...payload, payments_attempted: ++this.#declined })
    else if (event === 'processed' || event === 'authorized') this.#pay(event, payload)
    else super.received(event, payload)
  }

  #pay(event, { transaction_id }) {
    // The page of an outcome may be shown again, and then reports the outcome again.
    if (this.#isPaid) return
    this.#isPaid = true
    this.emit(event, { transaction_id })
    this.emit('success', { transaction_id })
    if (this.#isOver) this.close()
    if (this.#form) submitWith(this.#form, 'pl_transaction_id', transaction_id, this.#autosubmit)
  }
}

/** The set-up of an account in a container or a window: new Payload.ProcessingAccount({ container, form, legal_entity_id }). */
Payload.ProcessingAccount = class ProcessingAccount extends HostedComponent {
  constructor({ container, form, legal_entity_id } = {}) {
    super('account', 'Account set-up', { legal_entity_id })
    const place = elementOf(container) ?? elementOf(form)
    if (place) this.showIn(place)
    // Browsers allow a window only in answer to a click or a key. Without one, the page is shown over this one.
    else if (!this.showApart()) this.showOver()
  }

  received(event, payload) {
    this.emit(event, payload)
    if (event === 'account_created') this.emit('success', payload)
  }
}

Payload.Connect = function Connect({ org_id, scope, type, redirect_uri, auth_only, state } = {}) {
  const client_key = requiredKey()
  if (!org_id) throw new TypeError('Connect: org_id is required')
  if (scope !== 'org' && scope !== 'processing') throw new TypeError('Connect: scope must be org or processing')
  const isRedirect = type === 'redirect'
  if (isRedirect && !redirect_uri) throw new TypeError('Connect: redirect_uri is required')
  const address = serviceUrl('oauth/authorize')
  const given = isRedirect ? { redirect_uri, state } : { origin: location.origin, state: randomHex() }
  const parameters = { client_key, org_id, scope, auth_only: auth_only ? 'true' : undefined, ...given }
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined && value !== null) address.searchParams.set(name, value)
  const flow = new Component()
  if (isRedirect) location.assign(address)
  else connectApart(flow, address, given.state)
  return flow
}

function connectApart(flow, address, state) {
  const opened = openWindow(address)
  if (!opened) {
    // The page can add its listeners only after this function has returned the flow.
    queueMicrotask(() => flow.emit('error', { error: 'popup_blocked' }))
    return
  }
  const end = [
    receiveFrom(() => opened, address.origin, state, ({ code, error, error_description }) => {
      for (const each of end) each()
      if (code) flow.emit('connected', { code })
      else flow.emit('denied', { error, error_description })
    }),
    whenClosed(opened, () => {
      for (const each of end) each()
      flow.emit('closed', {})
    }),
  ]
}
})()
