import type { Action, ActionOutcome } from '../frames/frame-message.js'
import { HostedComponent } from './hosted-component.js'

/** Events of the page that decide the outcome. */
const DECIDED = ['processed', 'authorized', 'created', 'declined', 'error']

/**
 * The page on which a payer confirms a payment or a method with the bank, over the shop's page with the form. Its outcome
 * is a promise of the event.
 */
export class PayerAction extends HostedComponent {
  readonly outcome: Promise<ActionOutcome>
  #decide: (outcome: ActionOutcome) => void = () => undefined
  #isShown = false

  /** Opens the step with an id and a signature from the service, for the form that waits for it. */
  constructor({ id, signature }: Action, form: Element) {
    super('authenticate', 'Confirm with your bank', { action: id, signature })
    this.outcome = new Promise((resolve) => {
      this.#decide = resolve
    })
    this.on('loaded', () => {
      this.#isShown = true
    })
    const frame = this.showInFront(form)
    frame.allow = 'payment *; publickey-credentials-get *'
    // A page that sends no message within 5 seconds is not the service's page, but for example an error page.
    const check = () => {
      if (!this.#isShown) this.#end({ event: 'error' })
    }
    frame.addEventListener('load', () => setTimeout(check, 5000), { once: true })
  }

  override received(event: string, payload: object): void {
    if (DECIDED.includes(event)) this.#end({ event, ...payload })
  }

  #end(outcome: ActionOutcome): void {
    this.#decide(outcome)
    this.close()
  }
}
