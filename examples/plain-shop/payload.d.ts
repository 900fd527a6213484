/** An event of a form. */
interface PayloadEvent {
  readonly type: string
  readonly transaction_id: string
  readonly message: string
}

interface PayloadForm {
  on(name: string, listener: (event: PayloadEvent) => void): PayloadForm
}

/** The part of the service's script that the page uses. */
declare const Payload: {
  (clientKey: string): void
  readonly Form: new (options: { readonly form: Element; readonly autosubmit: boolean }) => PayloadForm
}
