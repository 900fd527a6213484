/** A secure field as its page sees it: a frame in an element with `pl-input`; plain JavaScript. */
export const PAGE_FIELD = `
/** Secure fields by their name, each with a title for its frame, used if the page gives it no label. */
const SECURE = {
  card: 'Card',
  card_number: 'Card number',
  expiry: 'Expiry',
  card_code: 'Security code',
  cvc: 'Security code',
  account_number: 'Account number',
  routing_number: 'Routing number',
}

const nameOf = (element) => element.getAttribute('pl-input') ?? ''
const isSecure = (element) => Object.hasOwn(SECURE, nameOf(element)) && !element.matches('input, select, textarea')

/** A frame of the service; ready resolves once its script has started. */
class ServiceFrame {
  #address
  constructor(name, { key, group }, receive) {
    this.#address = fieldsUrl('fields/' + name)
    this.#address.search = new URLSearchParams({ key, group })
    this.group = group
    this.element = document.createElement('iframe')
    this.element.setAttribute('frameborder', '0')
    this.element.src = this.#address.href
    this.ready = new Promise((resolve, reject) => {
      this.end = receiveFrom(() => this.element.contentWindow, this.#address.origin, group, (data) => {
        if (data.type === 'ready') resolve()
        receive(data)
      })
      this.element.addEventListener('load', () => setTimeout(() => reject(refusedFrame()), 3000), { once: true })
    })
    this.ready.catch(() => undefined)
  }

  post(type, more) {
    this.element.contentWindow?.postMessage({ payctl: this.group, type, ...more }, this.#address.origin)
  }
}

function refusedFrame() {
  return componentError({
    error_type: 'Forbidden',
    error_description: 'The fields did not load: is the client key active, and for pages of ' + location.origin + '?',
  })
}

/** Properties of an element that its frame takes over. */
const INHERITED = ['color', 'color-scheme', 'font-family', 'font-size', 'font-style', 'font-weight', 'letter-spacing', 'line-height', 'text-align']

/** Secure fields of bank accounts; all others are of cards. */
const BANK_FIELDS = ['account_number', 'routing_number']

/** A secure field of a method that is not accepted: shows this before a number is typed. */
class ClosedField {
  isEmpty = true
  constructor(element, text) {
    this.element = element
    element.classList.add('pl-input')
    element.textContent = text
    const error_description = text + '. Nothing was paid'
    this.ready = Promise.reject(componentError({ error_type: 'ServiceUnavailable', error_description }))
    this.ready.catch(() => undefined)
  }

  focus() {}
  clear() {}

  end() {
    this.element.textContent = ''
  }
}

class PageField {
  #frame
  #isEmpty = true
  constructor(element, form, label) {
    this.element = element
    this.label = label
    element.classList.add('pl-input', 'pl-input-sec')
    this.#frame = new ServiceFrame(nameOf(element), form, (data) => this.#receive(data, form))
    const frame = this.#frame.element
    frame.title = label?.textContent.trim() || element.getAttribute('aria-label') || SECURE[nameOf(element)]
    frame.allow = 'autofill; shared-autofill'
    frame.scrolling = 'no'
    frame.style.setProperty('display', 'block')
    frame.style.setProperty('width', '100%')
    frame.style.setProperty('height', '1.5em')
    element.replaceChildren(frame)
    this.focusOnClick = ({ target }) => {
      if (!element.contains(target)) this.focus()
    }
    label?.addEventListener('click', this.focusOnClick)
  }

  get ready() {
    return this.#frame.ready
  }

  get isEmpty() {
    return this.#isEmpty
  }

  #start() {
    const style = getComputedStyle(this.element)
    this.#frame.post('start', {
      label: this.label?.textContent.trim() || this.element.getAttribute('aria-label') || undefined,
      placeholder: this.element.getAttribute('placeholder') ?? undefined,
      disablePaste: ![null, 'false'].includes(this.element.getAttribute('disable-paste')),
      style: Object.fromEntries(INHERITED.map((name) => [name, style.getPropertyValue(name)])),
    })
  }

  #receive({ type, message, pixels, complete, empty, brand }, form) {
    const { classList } = this.element
    switch (type) {
      case 'ready':
        this.#start()
        break
      case 'height':
        if (pixels > 0) this.#frame.element.style.setProperty('height', Number(pixels) + 'px')
        break
      case 'focus':
      case 'blur':
        classList.toggle('pl-focus', type === 'focus')
        form.emit(type, { target: this.element })
        break
      case 'change':
        this.#isEmpty = empty
        form.emit('change', { target: this.element, complete, empty, brand })
        break
      case 'valid':
      case 'invalid':
        classList.toggle(form.invalidClass, type === 'invalid')
        form.emit(type, { target: this.element, ...(type === 'invalid' && { message }) })
        break
      case 'enter':
        form.enter(this)
        break
    }
  }

  focus() {
    this.#frame.element.focus()
    this.#frame.post('focus')
  }

  clear() {
    this.#frame.post('clear')
  }

  end() {
    this.#frame.end()
    this.label?.removeEventListener('click', this.focusOnClick)
    this.#frame.element.remove()
  }
}
`
