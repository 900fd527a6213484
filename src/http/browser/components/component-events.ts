/** Events of the components on a page: the base class of `Form`, `Checkout` and the others; plain JavaScript. */
export const COMPONENT_EVENTS = `
/** A component of the page: on adds a listener and returns the component, emit calls the listeners in order. */
class Component {
  #listeners = []
  on(event, listener) {
    this.#listeners.push([event, listener])
    return this
  }
  emit(event, payload) {
    for (const [name, listener] of [...this.#listeners]) {
      if (name !== event) continue
      try {
        listener({ type: event, ...payload })
      } catch (error) {
        // A failing listener of the page must not end a payment half way.
        reportError(error)
      }
    }
  }
}
`
