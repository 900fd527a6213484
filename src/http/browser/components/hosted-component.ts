/**
 * Pages of the service inside of a page: in a container, over the page, or in a window; plain JavaScript. Their frames and
 * the dialog are styled by a stylesheet that the script constructs, which a policy against inline styles allows.
 */
export const HOSTED_COMPONENT = `
const HOSTED_STYLE = \`
iframe[data-payctl] { display: block; width: 100%; height: 40rem; border: 0; }
dialog[data-payctl] { box-sizing: border-box; width: min(36rem, 100vw); max-width: none; height: min(48rem, 100dvh); max-height: none;
  padding: 0; border: 0; border-radius: 0.75rem; overflow: hidden; background: Canvas; }
dialog[data-payctl] iframe { height: 100%; }
dialog[data-payctl]::backdrop { background: rgb(0 0 0 / 0.55); }
div[data-payctl] { position: fixed; inset: 0; z-index: 2147483647; box-sizing: border-box; width: 100%; max-width: none; height: 100%;
  max-height: none; margin: 0; padding: 0; border: 0; overflow: hidden; background: Canvas; }
div[data-payctl] iframe { height: 100%; }
\`
let hostedSheet

/** Adds the stylesheet to the document, once. */
function styleHosted() {
  if (hostedSheet) return
  hostedSheet = new CSSStyleSheet()
  hostedSheet.replaceSync(HOSTED_STYLE)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, hostedSheet]
}

/** Opens a window in the middle of the page's; null where the browser allows none. */
function openWindow(address) {
  const left = window.screenX + Math.max(0, (window.outerWidth - 520) / 2)
  return window.open(address, '_blank', 'popup,width=520,height=720,left=' + left)
}

/** Calls gone once the user has closed a window. Returns a function that stops waiting. */
function whenClosed(opened, gone) {
  let waiting
  const poll = setInterval(() => {
    if (!opened.closed) return
    clearInterval(poll)
    // Its last message may still be on the way.
    waiting = setTimeout(gone, 500)
  }, 500)
  return () => {
    clearInterval(poll)
    clearTimeout(waiting)
  }
}

/** A component that is a page of the service; it receives the events that the page sends. */
class HostedComponent extends Component {
  #nonce = randomHex()
  #address
  #title
  #end = []
  #isLoaded = false
  #isOver = false
  #place

  /** The page below /components/ with the parameters that have a value; the title names its frame. */
  constructor(page, title, parameters) {
    super()
    this.#title = title
    this.#address = fieldsUrl('components/' + page)
    const given = { ...parameters, key: requiredKey(), origin: location.origin, nonce: this.#nonce }
    for (const [name, value] of Object.entries(given))
      if (value !== undefined && value !== null && value !== '') this.#address.searchParams.set(name, value)
    this.#place = ['payctl', page, given.key, given.amount].join(' ')
    const attempt = stored((storage) => storage.getItem(this.#place))
    if (attempt) this.#address.searchParams.set('attempt', attempt)
  }

  /** Shows the service's page in an element of the shop's page. */
  showIn(container) {
    const frame = this.#frame()
    container.append(frame)
    this.#end.push(() => frame.remove())
    this.#receive(() => frame.contentWindow, ({ height }) => {
      // An attribute and not a style: a policy may forbid styles of elements.
      const rule = 'iframe[data-payctl="' + this.#nonce + '"] { height: ' + (Number(height) || 0) + 'px; }'
      this.#sheet ??= this.#addSheet()
      this.#sheet.replaceSync(rule)
    })
  }

  #sheet
  #addSheet() {
    const sheet = new CSSStyleSheet()
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    this.#end.push(() => (document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)))
    return sheet
  }

  /** Shows the service's page in a dialog over the shop's page. */
  showOver() {
    this.#address.searchParams.set('modal', '1')
    const frame = this.#frame()
    const dialog = document.createElement('dialog')
    dialog.setAttribute('data-payctl', '')
    dialog.setAttribute('aria-label', this.#title)
    dialog.append(frame)
    document.body.append(dialog)
    this.#receive(() => frame.contentWindow)
    dialog.addEventListener('cancel', (event) => {
      if (!this.#isLoaded) return
      event.preventDefault()
      // The service's page closes itself, but not while a payment is under way.
      frame.contentWindow.postMessage({ payctl: this.#nonce, event: 'close' }, this.#address.origin)
    })
    dialog.addEventListener('close', () => this.close())
    this.#end.push(() => {
      // Closing gives the focus back to where it was.
      dialog.close()
      dialog.remove()
    })
    dialog.showModal()
  }

  /**
   * Shows the service's page over the whole shop's page, without a modal dialog of its own. If the element is in an
   * open dialog, the overlay belongs to that dialog, as nothing else can be used while it is open.
   */
  showInFront(element) {
    const place = element.closest('dialog[open]') ?? document.body
    const before = document.activeElement
    const frame = this.#frame()
    const overlay = document.createElement('div')
    overlay.setAttribute('data-payctl', '')
    overlay.setAttribute('role', 'dialog')
    overlay.setAttribute('aria-modal', 'true')
    overlay.setAttribute('aria-label', this.#title)
    // In front of everything, where the browser can do that.
    if ('popover' in overlay) overlay.popover = 'manual'
    overlay.append(frame)
    this.#receive(() => frame.contentWindow)
    const covered = [...place.children].filter(({ inert }) => !inert)
    for (const each of covered) each.inert = true
    place.append(overlay)
    if (overlay.popover) overlay.showPopover()
    frame.focus()
    this.#end.push(() => {
      for (const each of covered) each.inert = false
      overlay.remove()
      before?.focus()
    })
    return frame
  }

  /** Shows the service's page in a window of its own. Returns whether the browser allows one. */
  showApart() {
    this.#address.searchParams.set('modal', '1')
    const opened = openWindow(this.#address)
    if (!opened) return false
    this.#receive(() => opened)
    this.#end.push(whenClosed(opened, () => this.close()), () => opened.close())
    return true
  }

  /** Removes the service's page, and emits the event closed. */
  close() {
    if (this.#isOver) return
    this.#isOver = true
    for (const end of this.#end) end()
    this.emit('closed', {})
  }

  /** Handles an event of the service's page; by default passes it on to the listeners. */
  received(event, payload) {
    this.emit(event, payload)
  }

  #frame() {
    styleHosted()
    const frame = document.createElement('iframe')
    frame.setAttribute('data-payctl', this.#nonce)
    frame.title = this.#title
    frame.allow = 'autofill; shared-autofill'
    frame.src = this.#address
    return frame
  }

  #receive(windowOf, resize = () => undefined) {
    const receive = ({ payctl: _, event, ...payload }) => {
      if (event === 'resized') resize(payload)
      else if (event === 'sending') stored((storage) => storage.setItem(this.#place, payload.attempt))
      else if (event === 'answered') stored((storage) => storage.removeItem(this.#place))
      else if (event === 'closed') this.close()
      else if (event !== 'loaded') this.received(event, payload)
      else if (!this.#isLoaded) {
        this.#isLoaded = true
        this.emit('loaded', {})
      }
    }
    this.#end.push(receiveFrom(windowOf, this.#address.origin, this.#nonce, receive))
  }
}
`
