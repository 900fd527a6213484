/** The step by which a payer authenticates for a form, over its page; plain JavaScript. */
export const ACTION_COMPONENT = `
/** Events of the page that are an outcome. */
const DECIDED = ['processed', 'authorized', 'created', 'declined', 'error']

/** The page on which a payer confirms a payment or a method with the bank; its outcome is a promise of the event. */
class PayerAction extends HostedComponent {
  #decide
  #isShown = false

  /** What the service has said about the step, and the form that waits for it. */
  constructor({ id, signature }, form) {
    super('authenticate', 'Confirm with your bank', { action: id, signature })
    this.outcome = new Promise((resolve) => (this.#decide = resolve))
    this.on('loaded', () => (this.#isShown = true))
    const frame = this.showInFront(form)
    frame.allow = 'payment *; publickey-credentials-get *'
    // Without its script the page is none of the service, and stays as it is.
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
`
