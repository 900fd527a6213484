/**
 * Component that shows the page on which a payer authenticates, over the shop's page with the form; plain JavaScript.
 */
export const ACTION_COMPONENT = `
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
`
