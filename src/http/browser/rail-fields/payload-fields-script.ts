/**
 * Fields of a peer, which is another server with this API, by its `/Payload.js`. The box contains a form with frames of
 * that server. The form creates a payment method there, whose id is the token. Plain JavaScript.
 */
export const PAYLOAD_FIELDS = `
/** Forgets the last request of the script in this page, because another card must become another payment method. */
function forgetLast(key) {
  try {
    sessionStorage.removeItem('payctl ' + key)
  } catch {
    // This browser keeps nothing.
  }
}

railFields.payload = {
  async mount(box, { key }) {
    if (!window.Payload) throw new Error('The script of the other service was not loaded')
    const form = document.createElement('form')
    form.setAttribute('pl-form', 'payment_method')
    form.append(...box.childNodes)
    box.append(form)
    const places = [...form.querySelectorAll('[data-rail-field]')]
    for (const place of places) place.setAttribute('pl-input', place.dataset.railField)
    forgetLast(key)
    window.Payload(key)
    const fields = new window.Payload.Form({ form, autosubmit: false, preventSubmitOnEnter: true })
    /** Problems that the fields have shown, by name. */
    const wrong = new Map()
    const note = ({ target, message }) => {
      const name = target.dataset.railField
      if (name === undefined) return
      if (message === undefined) wrong.delete(name)
      else wrong.set(name, message)
      markRail(box, name, message)
    }
    fields.on('invalid', note).on('valid', note)
    const put = (name, value) => {
      const input = form.querySelector('input[pl-input="' + name + '"]') ?? document.createElement('input')
      input.type = 'hidden'
      input.setAttribute('pl-input', name)
      input.value = value ?? ''
      form.append(input)
    }
    return {
      focus: (name) => form.querySelector('[data-rail-field="' + name + '"] iframe')?.focus(),
      async token({ holder, postalCode }) {
        put('account_holder', holder)
        put('billing_address[postal_code]', postalCode)
        try {
          const { payment_method_id: token } = await fields.submit()
          return { token }
        } catch (/** @type {any} */ error) {
          const [at] = places.map((place) => place.dataset.railField).filter((name) => wrong.has(name))
          if (at !== undefined) return { problem: wrong.get(at), at }
          const { error_type: type, error_description: problem } = error.data ?? {}
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
`
