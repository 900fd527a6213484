/** The script of the components of pages, `/Payload.js`: defines the global function `Payload`, and `Payctl`. */
import { Checkout } from './components/checkout.js'
import { Connect } from './components/connect.js'
import { Form } from './components/page-form.js'
import { Payload } from './components/payload-function.js'
import { ProcessingAccount } from './components/processing-account.js'

declare global {
  interface Window {
    Payctl?: unknown
    Payload?: unknown
  }
}

window.Payctl = Object.assign(Payload, { Form, Checkout, ProcessingAccount, Connect })
window.Payload ??= Payload
