/** An event of a component as listeners get it: its type and its data. */
export type ComponentEvent = Readonly<Record<string, unknown>> & { readonly type: string }

type Listener = (event: ComponentEvent) => void

/** A component of the page: `on` adds a listener and returns the component, `emit` calls the listeners in order. */
export class Component {
  #listeners: [string, Listener][] = []

  on(event: string, listener: Listener): this {
    this.#listeners.push([event, listener])
    return this
  }

  emit(event: string, payload: object): void {
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
