/** `Payload.ProcessingAccount`; plain JavaScript. */
export const ACCOUNT_COMPONENT = `
/** The set-up of an account in a container or a window: new Payload.ProcessingAccount({ container, form, legal_entity_id }). */
Payload.ProcessingAccount = class ProcessingAccount extends HostedComponent {
  constructor({ container, form, legal_entity_id } = {}) {
    super('account', 'Account set-up', { legal_entity_id })
    const place = elementOf(container) ?? elementOf(form)
    if (place) this.showIn(place)
    // Browsers allow a window only in answer to a click or a key. Without one, the page is shown over this one.
    else if (!this.showApart()) this.showOver()
  }

  received(event, payload) {
    this.emit(event, payload)
    if (event === 'account_created') this.emit('success', payload)
  }
}
`
