import type { StripeElementBase, StripeElements } from '@stripe/stripe-js'
import { type FieldForm, type MountedField, nameOf } from './page-field.js'
import { keptAway, type ShopRail } from './shop-rail.js'

/** Milliseconds after which fields that have not appeared count as blocked. */
const RAIL_PATIENCE = 20000

/** Methods that all fields of Stripe have. */
interface StripeField extends Pick<StripeElementBase, 'mount' | 'focus' | 'clear' | 'destroy'> {
  on(type: 'focus' | 'blur' | 'ready', listener: () => void): unknown
  on(type: 'change', listener: (change: FieldChange) => void): unknown
}

interface FieldChange {
  readonly complete: boolean
  readonly empty: boolean
  readonly brand?: string
  readonly error: { readonly message: string } | undefined
}

/**
 * A secure field that Stripe shows in the page itself, for the same `pl-input` elements that otherwise hold frames of the
 * service. Stripe's separate fields must share one document, so they cannot be in frames of the service.
 */
export class RailPageField implements MountedField {
  readonly element: HTMLElement
  readonly ready: Promise<void>
  readonly #label: HTMLElement | undefined
  readonly #name: string
  readonly #rail: ShopRail
  #field: StripeField | undefined
  #isEmpty = true

  constructor(element: HTMLElement, form: FieldForm, label: HTMLElement | undefined, rail: ShopRail) {
    this.element = element
    this.#label = label
    this.#rail = rail
    this.#name = nameOf(element) === 'cvc' ? 'card_code' : nameOf(element)
    element.classList.add('pl-input', 'pl-input-sec')
    label?.addEventListener('click', this.#focusOnClick)
    this.ready = rail.ready.then((elements) => this.#mount(elements, form))
    this.ready.catch(() => undefined)
  }

  get isEmpty(): boolean {
    return this.#isEmpty
  }

  #focusOnClick = ({ target }: Event): void => {
    if (!(target instanceof Node && this.element.contains(target))) this.focus()
  }

  #mount(elements: StripeElements, form: FieldForm): Promise<void> {
    const made = this.#create(elements)
    this.#field = made
    const { classList } = this.element
    made.on('change', ({ complete, empty, brand, error }) => {
      this.#isEmpty = empty
      this.#rail.forget()
      form.emit('change', { target: this.element, complete, empty, brand })
      this.refuse(form, error?.message)
    })
    for (const event of ['focus', 'blur'] as const)
      made.on(event, () => {
        classList.toggle('pl-focus', event === 'focus')
        form.emit(event, { target: this.element })
      })
    return new Promise((resolve, reject) => {
      made.on('ready', () => resolve())
      made.mount(this.element)
      setTimeout(() => reject(keptAway(this.#rail.host)), RAIL_PATIENCE)
    })
  }

  #create(elements: StripeElements): StripeField {
    const { color, fontFamily, fontSize } = getComputedStyle(this.element)
    const style = { base: { color, fontFamily, fontSize } }
    const placeholder = this.element.getAttribute('placeholder')
    const options = placeholder === null ? { style } : { style, placeholder }
    switch (this.#name) {
      case 'card_number':
        return this.#rail.useCard(elements.create('cardNumber', options))
      case 'expiry':
        return elements.create('cardExpiry', options)
      case 'card_code':
        return elements.create('cardCvc', options)
      default:
        return this.#rail.useCard(elements.create('card', { style, hidePostalCode: true }))
    }
  }

  /** Shows a problem of the field, or removes it if `message` is undefined. */
  refuse(form: FieldForm, message: string | undefined): void {
    const { classList } = this.element
    if (message === undefined && !classList.contains(form.invalidClass)) return
    classList.toggle(form.invalidClass, message !== undefined)
    form.emit(message === undefined ? 'valid' : 'invalid', {
      target: this.element,
      ...(message !== undefined && { message }),
    })
  }

  isNamed(name: string): boolean {
    return this.#name === name || this.#name === 'card'
  }

  focus(): void {
    this.#field?.focus()
  }

  clear(): void {
    this.#field?.clear()
  }

  end(): void {
    this.#label?.removeEventListener('click', this.#focusOnClick)
    this.#rail.forgetCard(this.#name)
    this.#field?.destroy()
  }
}
