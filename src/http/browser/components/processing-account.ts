import { HostedComponent } from './hosted-component.js'
import { type ElementGiven, elementOf } from './page-effects.js'

interface AccountOptions {
  readonly container?: ElementGiven
  readonly form?: ElementGiven
  readonly legal_entity_id?: unknown
}

/**
 * The set-up of an account in a container or a window:
 * `new Payload.ProcessingAccount({ container, form, legal_entity_id })`.
 */
export class ProcessingAccount extends HostedComponent {
  constructor({ container, form, legal_entity_id }: AccountOptions = {}) {
    super('account', 'Account set-up', { legal_entity_id })
    const place = elementOf(container) ?? elementOf(form)
    if (place) this.showIn(place)
    // Browsers allow a window only in answer to a click or a key. Without one, the page is shown over this one.
    else if (!this.showApart()) this.showOver()
  }

  override received(event: string, payload: object): void {
    this.emit(event, payload)
    if (event === 'account_created') this.emit('success', payload)
  }
}
