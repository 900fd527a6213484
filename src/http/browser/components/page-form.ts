/** `Payload.Form`: a form of a page with secure fields in it; plain JavaScript. */
export const PAGE_FORM = `
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
`
