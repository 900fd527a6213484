import { HostedComponent } from './hosted-component.js'
import { type ElementGiven, elementOf, submitWith } from './page-effects.js'

interface CheckoutOptions {
  readonly form?: ElementGiven
  readonly amount?: unknown
  readonly container?: ElementGiven
  readonly autosubmit?: unknown
}

/** The form of payers in a container, or over the page: `new Payload.Checkout({ form, amount, container, autosubmit })`. */
export class Checkout extends HostedComponent {
  #form: Element | undefined
  #autosubmit: boolean
  #isOver: boolean
  #declined = 0
  #isPaid = false

  constructor({ form, amount, container, autosubmit }: CheckoutOptions = {}) {
    super('checkout', 'Checkout', { amount })
    this.#form = elementOf(form)
    this.#autosubmit = autosubmit !== false
    const place = elementOf(container)
    this.#isOver = !place
    if (place) this.showIn(place)
    else this.showOver()
  }

  override received(event: string, payload: { readonly transaction_id?: string }): void {
    if (event === 'declined') this.emit(event, { ...payload, payments_attempted: ++this.#declined })
    else if (event === 'processed' || event === 'authorized') this.#pay(event, payload)
    else super.received(event, payload)
  }

  #pay(event: string, { transaction_id = '' }: { readonly transaction_id?: string }): void {
    // The page of an outcome may be shown again, and then reports the outcome again.
    if (this.#isPaid) return
    this.#isPaid = true
    this.emit(event, { transaction_id })
    this.emit('success', { transaction_id })
    if (this.#isOver) this.close()
    if (this.#form) submitWith(this.#form, 'pl_transaction_id', transaction_id, this.#autosubmit)
  }
}
