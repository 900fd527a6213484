import { markRail } from './mark-rail.js'
import type { RailKind } from './rail-kind.js'

/** The function that the script of the other service defines. */
interface PeerPayload {
  (key: string | undefined): unknown
  readonly Form: new (options: object) => PeerForm
}

interface PeerForm {
  on(event: 'invalid' | 'valid', listener: (event: FieldEvent) => void): this
  submit(): Promise<{ readonly payment_method_id: string }>
}

interface FieldEvent {
  readonly target: HTMLElement
  readonly message?: string
}

/** An error of the other service, as its script throws it. */
interface PeerError {
  readonly error_type?: string
  readonly error_description?: string
}

/** Forgets the last request of the script in this page, because another card must become another payment method. */
function forgetLast(key: string | undefined): void {
  try {
    sessionStorage.removeItem(`payctl ${key}`)
  } catch {
    // This browser keeps nothing.
  }
}

/** The function of the other service; undefined if its script was not loaded. */
function peerPayload(): PeerPayload | undefined {
  return isPeerPayload(window.Payload) ? window.Payload : undefined
}

function isPeerPayload(value: unknown): value is PeerPayload {
  return typeof value === 'function' && 'Form' in value
}

/** Puts the box's content into a form for the script of the other service. */
function formIn(box: HTMLElement): HTMLFormElement {
  const form = document.createElement('form')
  form.setAttribute('pl-form', 'payment_method')
  form.append(...box.childNodes)
  box.append(form)
  return form
}

function put(form: HTMLFormElement, name: string, value: string | undefined): void {
  const found = form.querySelector<HTMLInputElement>(`input[pl-input="${name}"]`)
  const input = found ?? document.createElement('input')
  input.type = 'hidden'
  input.setAttribute('pl-input', name)
  input.value = value ?? ''
  form.append(input)
}

/**
 * Fields of a peer, which is another server with this API, by its `/Payload.js`. The box contains a form with frames of
 * that server. The form creates a payment method there, whose id is the token.
 */
export const payloadFields: RailKind = {
  async mount(box, { key }) {
    const payload = peerPayload()
    if (!payload) throw new Error('The script of the other service was not loaded')
    const form = formIn(box)
    const places = [...form.querySelectorAll<HTMLElement>('[data-rail-field]')]
    for (const place of places) place.setAttribute('pl-input', place.dataset['railField'] ?? '')
    forgetLast(key)
    payload(key)
    const fields = new payload.Form({ form, autosubmit: false, preventSubmitOnEnter: true })
    /** Problems that the fields have shown, by name. */
    const wrong = new Map<string, string>()
    const note = ({ target, message }: FieldEvent) => {
      const name = target.dataset['railField']
      if (name === undefined) return
      if (message === undefined) wrong.delete(name)
      else wrong.set(name, message)
      markRail(box, name, message)
    }
    fields.on('invalid', note).on('valid', note)
    const firstWrong = () =>
      places
        .map((place) => place.dataset['railField'] ?? '')
        .flatMap((at) => {
          const problem = wrong.get(at)
          return problem === undefined ? [] : [{ problem, at }]
        })[0]
    return {
      focus: (name) => form.querySelector<HTMLElement>(`[data-rail-field="${name}"] iframe`)?.focus(),
      async token({ holder, postalCode }) {
        put(form, 'account_holder', holder)
        put(form, 'billing_address[postal_code]', postalCode)
        try {
          const { payment_method_id: token } = await fields.submit()
          return { token }
        } catch (error) {
          const found = firstWrong()
          if (found) return found
          const { error_type: type, error_description: problem } = answerIn(error)
          // A key that is refused is no fault of the payer.
          if (problem === undefined || type === 'Forbidden' || type === 'Unauthorized') throw error
          return { problem, at: 'card_number' }
        } finally {
          forgetLast(key)
        }
      },
    }
  },
}

/** The answer of the other service in an error of its script. */
function answerIn(error: unknown): PeerError {
  return error instanceof Error && 'data' in error && error.data instanceof Object ? error.data : {}
}
