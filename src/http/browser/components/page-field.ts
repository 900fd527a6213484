import { FIELD_STYLES } from '../frames/field-styles.js'
import type { FromField, ToField } from '../frames/frame-message.js'
import type { Component } from './component.js'
import { ServiceFrame } from './service-frame.js'

/** Secure fields by their name, each with a title for its frame, used if the page gives it no label. */
export const SECURE: Readonly<Record<string, string>> = {
  card: 'Card',
  card_number: 'Card number',
  expiry: 'Expiry',
  card_code: 'Security code',
  cvc: 'Security code',
  account_number: 'Account number',
  routing_number: 'Routing number',
}

/** Secure fields of bank accounts; all others are of cards. */
export const BANK_FIELDS = ['account_number', 'routing_number']

export const nameOf = (element: Element): string => element.getAttribute('pl-input') ?? ''
export const isSecure = (element: Element): boolean =>
  Object.hasOwn(SECURE, nameOf(element)) && !element.matches('input, select, textarea')

/** A form as its secure fields see it. */
export interface FieldForm extends Component {
  readonly key: string
  readonly group: string
  readonly invalidClass: string
  /** Handles Enter in a field. */
  enter(field: MountedField): void
}

/** A secure field in its place in the page. */
export interface MountedField {
  readonly isEmpty: boolean
  readonly ready: Promise<void>
  focus(): void
  clear(): void
  end(): void
}

/** A secure field as its page sees it: a frame in an element with `pl-input`. */
export class PageField implements MountedField {
  readonly element: Element
  readonly #label: HTMLElement | undefined
  #frame: ServiceFrame<FromField, ToField>
  #isEmpty = true

  constructor(element: Element, form: FieldForm, label: HTMLElement | undefined) {
    this.element = element
    this.#label = label
    element.classList.add('pl-input', 'pl-input-sec')
    this.#frame = new ServiceFrame(nameOf(element), form, (message: FromField) =>
      this.#receive(message, form),
    )
    const frame = this.#frame.element
    frame.title = this.#labelText() || SECURE[nameOf(element)] || ''
    frame.allow = 'autofill; shared-autofill'
    frame.scrolling = 'no'
    frame.style.setProperty('display', 'block')
    frame.style.setProperty('width', '100%')
    frame.style.setProperty('height', '1.5em')
    element.replaceChildren(frame)
    label?.addEventListener('click', this.#focusOnClick)
  }

  get ready(): Promise<void> {
    return this.#frame.ready
  }

  get isEmpty(): boolean {
    return this.#isEmpty
  }

  #focusOnClick = ({ target }: Event): void => {
    if (!(target instanceof Node && this.element.contains(target))) this.focus()
  }

  #labelText(): string | undefined {
    return this.#label?.textContent?.trim() || this.element.getAttribute('aria-label') || undefined
  }

  #start(): void {
    const style = getComputedStyle(this.element)
    this.#frame.post({
      type: 'start',
      label: this.#labelText(),
      placeholder: this.element.getAttribute('placeholder') ?? undefined,
      disablePaste: ![null, 'false'].includes(this.element.getAttribute('disable-paste')),
      style: Object.fromEntries(
        ['color-scheme', ...FIELD_STYLES].map((name) => [name, style.getPropertyValue(name)]),
      ),
    })
  }

  #receive(message: FromField, form: FieldForm): void {
    const { classList } = this.element
    const target = this.element
    switch (message.type) {
      case 'ready':
        this.#start()
        break
      case 'height':
        if (message.pixels > 0) this.#frame.element.style.setProperty('height', `${Number(message.pixels)}px`)
        break
      case 'focus':
      case 'blur':
        classList.toggle('pl-focus', message.type === 'focus')
        form.emit(message.type, { target })
        break
      case 'change': {
        const { complete, empty, brand } = message
        this.#isEmpty = empty
        form.emit('change', { target, complete, empty, brand })
        break
      }
      case 'valid':
        classList.remove(form.invalidClass)
        form.emit('valid', { target })
        break
      case 'invalid':
        classList.add(form.invalidClass)
        form.emit('invalid', { target, message: message.message })
        break
      case 'enter':
        form.enter(this)
        break
      default:
        message satisfies never
    }
  }

  focus(): void {
    this.#frame.element.focus()
    this.#frame.post({ type: 'focus' })
  }

  clear(): void {
    this.#frame.post({ type: 'clear' })
  }

  end(): void {
    this.#frame.end()
    this.#label?.removeEventListener('click', this.#focusOnClick)
    this.#frame.element.remove()
  }
}
