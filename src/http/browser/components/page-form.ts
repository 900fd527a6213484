import type {
  Action,
  Answer,
  ClosedMethods,
  Details,
  FormPath,
  FromController,
  Refusal,
  ToController,
} from '../frames/frame-message.js'
import { randomHex } from '../frames/random-hex.js'
import { ClosedField } from './closed-field.js'
import { Component } from './component.js'
import { type ComponentError, componentError, refusalOf } from './component-errors.js'
import { type ElementGiven, elementOf, stored, submitWith } from './page-effects.js'
import { BANK_FIELDS, type FieldForm, isSecure, type MountedField, nameOf, PageField } from './page-field.js'
import { labelOf, markInput, reportInput, reportTyping } from './page-inputs.js'
import { bodyOf, type GivenValues, inputsOf, methodOf, problemAt } from './page-values.js'
import { PayerAction } from './payer-action.js'
import { requiredKey } from './payload-function.js'
import { RailPageField } from './rail-page-field.js'
import { ServiceFrame } from './service-frame.js'
import { RailProblem, ShopRail } from './shop-rail.js'

/** Options of a form; the page may change them until the form is sent. */
export interface FormOptions extends GivenValues {
  readonly form?: ElementGiven
  readonly styles?: { readonly invalid?: string }
  readonly autosubmit?: unknown
  readonly preventDefaultOnSubmit?: unknown
  readonly preventSubmitOnEnter?: unknown
}

const forms = new WeakMap<HTMLFormElement, Form>()

const FORM_MOVED = {
  error_type: 'ServiceUnavailable',
  error_description:
    'The page moved the form before the answer came. Send it again: you are charged at most once.',
}

/** A form of a page with secure fields in it. */
export class Form extends Component implements FieldForm {
  readonly key: string
  readonly group = randomHex()
  params: FormOptions
  #form: HTMLFormElement
  #path: FormPath
  #controller: ServiceFrame<FromController, ToController>
  #fields = new Map<Element, MountedField>()
  #open = new Map<string, (answer: Answer) => void>()
  #running: Promise<object> | undefined
  #rail: ShopRail | undefined
  #closed: ClosedMethods = {}
  #action: PayerAction | undefined
  #isReady = false
  #listening = new AbortController()

  constructor(options: Element | FormOptions) {
    super()
    const given = options instanceof Element ? { form: options } : { ...options }
    const form = elementOf(given.form)
    if (!(form instanceof HTMLFormElement))
      throw new TypeError('Payload.Form: form must be a form of this page')
    this.key = requiredKey()
    this.params = given
    this.#form = form
    this.#path = form.getAttribute('pl-form') === 'payment_method' ? 'payment_methods' : 'transactions'
    const earlier = forms.get(form)
    if (earlier) earlier.#end()
    forms.set(form, this)
    this.#controller = new ServiceFrame('controller', this, (message: FromController) =>
      this.#receive(message),
    )
    const { element } = this.#controller
    element.title = 'payctl'
    element.hidden = true
    element.tabIndex = -1
    element.width = '0'
    element.height = '0'
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
  get #place(): string {
    return `payctl ${this.key}`
  }

  /** Class of an element whose value is wrong, which the page may rename. */
  get invalidClass(): string {
    return this.params.styles?.invalid ?? 'pl-invalid'
  }

  #end(): void {
    this.#listening.abort()
    this.#controller.end()
    this.#controller.element.remove()
    this.#action?.close()
    for (const field of this.#fields.values()) field.end()
  }

  #listen(): void {
    const { signal } = this.#listening
    const listen = (type: string, listener: (event: Event) => void) =>
      this.#form.addEventListener(type, listener, { signal })
    listen('submit', (event) => {
      if (event.defaultPrevented) return
      event.preventDefault()
      this.submit().catch(() => undefined)
    })
    listen('reset', () => {
      for (const field of this.#fields.values()) field.clear()
    })
    const onKey = (event: KeyboardEvent) => {
      const { target } = event
      const isInput = target instanceof HTMLInputElement && !['submit', 'button'].includes(target.type)
      if (event.key === 'Enter' && isInput && this.params.preventSubmitOnEnter) event.preventDefault()
    }
    this.#form.addEventListener('keydown', onKey, { signal })
    listen('focusin', ({ target }) => reportInput(this, 'focus', target))
    listen('focusout', ({ target }) => reportInput(this, 'blur', target))
    listen('change', ({ target }) => reportInput(this, 'change', target))
    listen('input', ({ target }) => reportTyping(this, target))
    const observer = new MutationObserver(() => this.#mount())
    observer.observe(this.#form, { childList: true, subtree: true })
    signal.addEventListener('abort', () => observer.disconnect())
  }

  /** Makes the frames of secure fields that are new in the form, and forgets those that were removed. */
  #mount(): void {
    if (!this.#isReady) return
    for (const [element, field] of this.#fields) {
      if (this.#form.contains(element)) continue
      field.end()
      this.#fields.delete(element)
    }
    for (const element of this.#form.querySelectorAll<HTMLElement>('[pl-input]'))
      if (isSecure(element) && !this.#fields.has(element)) this.#fields.set(element, this.#fieldFor(element))
  }

  #fieldFor(element: HTMLElement): MountedField {
    const label = labelOf(this.#form, element)
    const closed = this.#closed[BANK_FIELDS.includes(nameOf(element)) ? 'bank_account' : 'card']
    if (closed !== undefined) return new ClosedField(element, closed)
    return this.#rail?.takes(element)
      ? new RailPageField(element, this, label, this.#rail)
      : new PageField(element, this, label)
  }

  /** Handles Enter in a secure field: moves on to the next empty field, or sends the form. */
  enter(field: MountedField): void {
    if (this.params.preventSubmitOnEnter) return
    const all = [...this.#form.querySelectorAll('[pl-input]')].flatMap(
      (element) => this.#fields.get(element) ?? [],
    )
    const next = all.slice(all.indexOf(field) + 1).find(({ isEmpty }) => isEmpty)
    if (next) next.focus()
    else this.#form.requestSubmit()
  }

  #receive(message: FromController): void {
    switch (message.type) {
      case 'ready':
        this.#closed = message.closed ?? {}
        if (message.rail) this.#rail ??= new ShopRail(message.rail)
        // The controller was loaded again, as when the page moves the form. Earlier requests get no answer.
        this.#action?.close()
        for (const answer of this.#open.values()) answer({ error: FORM_MOVED })
        break
      case 'sending':
        stored((storage) => storage.setItem(this.#place, message.attempt))
        this.#controller.post({ type: 'kept' })
        this.emit('processing', {})
        break
      case 'action':
        void this.#confirm(message.action)
        break
      case 'answer':
        if (message.isRefused) stored((storage) => storage.removeItem(this.#place))
        this.#open.get(message.id)?.(message)
        this.#open.delete(message.id)
        break
      default:
        message satisfies never
    }
  }

  /** Lets the payer confirm with the bank, and sends the outcome to the controller. */
  async #confirm(action: Action): Promise<void> {
    this.#action = new PayerAction(action, this.#form)
    this.#controller.post({ type: 'acted', outcome: await this.#action.outcome })
  }

  /** Sends the form once: a submission during another one has the same outcome. */
  submit(): Promise<object> {
    this.#running ??= this.#send().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #send(): Promise<object> {
    const answer = await this.#answer()
    if (answer.error) throw this.#fail(answer.error)
    const id = String(answer.object?.['id'])
    const isPayment = this.#path === 'transactions'
    const name = isPayment ? 'transaction_id' : 'payment_method_id'
    const result = { [name]: id }
    const event = isPayment ? String(answer.object?.['status']) : 'created'
    if (!answer.isRepeated) {
      if (['created', 'processed', 'authorized'].includes(event)) this.emit(event, result)
      this.emit('success', result)
    }
    const { autosubmit, preventDefaultOnSubmit } = this.params
    submitWith(this.#form, `pl_${name}`, id, autosubmit !== false && !preventDefaultOnSubmit)
    return result
  }

  async #answer(): Promise<Answer> {
    try {
      await Promise.all([this.#controller.ready, ...[...this.#fields.values()].map(({ ready }) => ready)])
      const id = randomHex()
      const path = this.#path
      const answered = new Promise<Answer>((resolve) => {
        this.#open.set(id, resolve)
      })
      const names = [...this.#fields.keys()].map(nameOf)
      const body = bodyOf(this.#form, path, this.params)
      const attempt = stored((storage) => storage.getItem(this.#place))
      const token = await this.#token(methodOf(path, body))
      this.#controller.post({ type: 'submit', id, path, names, body, attempt, token })
      return await answered
    } catch (error) {
      return { error: refusalOf(error) }
    }
  }

  /** The token of the input in fields of a gateway; undefined for fields of the service. */
  async #token(method: Details): Promise<string | undefined> {
    const fields = [...this.#fields.values()].filter((field) => field instanceof RailPageField)
    if (fields.length === 0) return undefined
    try {
      return await this.#rail?.token(method)
    } catch (error) {
      if (error instanceof RailProblem) {
        const wrong = fields.find((field) => field.isNamed(error.field))
        wrong?.refuse(this, error.message)
        wrong?.focus()
      }
      throw error
    }
  }

  /** Reports a refusal or a decline to the page, and returns the error. */
  #fail(refused: Refusal): ComponentError {
    this.#rail?.forget()
    const error = componentError(refused)
    const { error_type, error_description, details } = error.data
    if (error_type === 'TransactionDeclined') {
      const { id: transaction_id, status_code, status_message } = details
      const message = status_message ?? error_description
      this.emit('declined', { transaction_id, message, status_code, error_type, error_description })
      return error
    }
    const wrong = inputsOf(this.#form, this.#path).flatMap(([target, at]) => {
      const message = problemAt(details, at)
      return message === undefined ? [] : [{ target, message }]
    })
    for (const { target, message } of wrong) {
      markInput(target, message, this.invalidClass)
      this.emit('invalid', { target, message })
    }
    wrong[0]?.target.focus()
    this.emit('error', { message: error_description, error_type, error_description, details })
    return error
  }

  applepay(...given: unknown[]): this {
    return this.#refuseWay('applepay', given)
  }

  googlepay(...given: unknown[]): this {
    return this.#refuseWay('googlepay', given)
  }

  plaid(...given: unknown[]): this {
    return this.#refuseWay('plaid', given)
  }

  /** A way to pay that this service does not have: the page is called back with false, and shows no button. */
  #refuseWay(name: string, given: readonly unknown[]): this {
    const callback = given.find((each) => typeof each === 'function')
    if (!callback)
      throw componentError({ error_type: 'BadRequest', error_description: `${name} is not available` })
    queueMicrotask(() => callback(false))
    return this
  }
}
