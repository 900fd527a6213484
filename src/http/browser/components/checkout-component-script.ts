/** `Payload.Checkout`; plain JavaScript. */
export const CHECKOUT_COMPONENT = `
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
`
