import type { HostedMessage, Posted } from '../frames/frame-message.js'
import { randomHex } from '../frames/random-hex.js'
import { Component } from './component.js'
import HOSTED_STYLE from './hosted-style.css'
import { openWindow, whenClosed } from './open-window.js'
import { stored } from './page-effects.js'
import { fieldsUrl, requiredKey } from './payload-function.js'
import { receiveFrom } from './receive-from.js'

let isStyled = false

/**
 * Adds the stylesheet of frames and dialogs to the document, once. It is constructed, as a policy against inline styles
 * allows that.
 */
function styleHosted(): void {
  if (isStyled) return
  isStyled = true
  addSheet().replaceSync(HOSTED_STYLE)
}

function addSheet(): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  return sheet
}

/**
 * A page of the service inside of a page: in a container, over the page, or in a window. It receives the events that the
 * page sends.
 */
export class HostedComponent extends Component {
  #nonce = randomHex()
  #address: URL
  #title: string
  #end: (() => void)[] = []
  #isLoaded = false
  #isOver = false
  #place: string
  #sheet: CSSStyleSheet | undefined

  /** The page below `/components/` with the parameters that have a value; the title names its frame. */
  constructor(page: string, title: string, parameters: Readonly<Record<string, unknown>>) {
    super()
    this.#title = title
    this.#address = fieldsUrl(`components/${page}`)
    const given: Readonly<Record<string, unknown>> = {
      ...parameters,
      key: requiredKey(),
      origin: location.origin,
      nonce: this.#nonce,
    }
    for (const [name, value] of Object.entries(given))
      if (value !== undefined && value !== null && value !== '')
        this.#address.searchParams.set(name, String(value))
    this.#place = ['payctl', page, given['key'], given['amount']].join(' ')
    const attempt = stored((storage) => storage.getItem(this.#place))
    if (attempt) this.#address.searchParams.set('attempt', attempt)
  }

  /** Shows the service's page in an element of the shop's page. */
  showIn(container: Element): void {
    const frame = this.#frame()
    container.append(frame)
    this.#end.push(() => frame.remove())
    this.#receive(
      () => frame.contentWindow,
      (height) => {
        // An attribute and not a style: a policy may forbid styles of elements.
        this.#sheet ??= this.#addSheet()
        this.#sheet.replaceSync(`iframe[data-payctl="${this.#nonce}"] { height: ${Number(height) || 0}px; }`)
      },
    )
  }

  #addSheet(): CSSStyleSheet {
    const sheet = addSheet()
    this.#end.push(() => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
    })
    return sheet
  }

  /** Shows the service's page in a dialog over the shop's page. */
  showOver(): void {
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
      const close: Posted<HostedMessage> = { payctl: this.#nonce, event: 'close' }
      frame.contentWindow?.postMessage(close, this.#address.origin)
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
   * open dialog, the overlay belongs to that dialog, as only that dialog can be used while it is open.
   */
  showInFront(element: Element): HTMLIFrameElement {
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
    const covered = [...place.children].filter((each) => each instanceof HTMLElement && !each.inert)
    setInert(covered, true)
    place.append(overlay)
    if (overlay.popover) overlay.showPopover()
    frame.focus()
    this.#end.push(() => {
      setInert(covered, false)
      overlay.remove()
      if (before instanceof HTMLElement) before.focus()
    })
    return frame
  }

  /** Shows the service's page in a window of its own. Returns whether the browser allows one. */
  showApart(): boolean {
    this.#address.searchParams.set('modal', '1')
    const opened = openWindow(this.#address)
    if (!opened) return false
    this.#receive(() => opened)
    this.#end.push(
      whenClosed(opened, () => this.close()),
      () => opened.close(),
    )
    return true
  }

  /** Removes the service's page, and emits the event closed. */
  close(): void {
    if (this.#isOver) return
    this.#isOver = true
    for (const end of this.#end) end()
    this.emit('closed', {})
  }

  /** Handles an event of the service's page; by default passes it on to the listeners. */
  received(event: string, payload: object): void {
    this.emit(event, payload)
  }

  #frame(): HTMLIFrameElement {
    styleHosted()
    const frame = document.createElement('iframe')
    frame.setAttribute('data-payctl', this.#nonce)
    frame.title = this.#title
    frame.allow = 'autofill; shared-autofill'
    frame.src = this.#address.href
    return frame
  }

  #receive(windowOf: () => Window | null, resize: (height: unknown) => void = () => undefined): void {
    const receive = ({ payctl: _, event, ...payload }: Posted<HostedMessage>) => {
      if (event === 'resized') resize(payload['height'])
      else if (event === 'sending')
        stored((storage) => storage.setItem(this.#place, String(payload['attempt'])))
      else if (event === 'answered') stored((storage) => storage.removeItem(this.#place))
      else if (event === 'closed') this.close()
      else if (event !== 'loaded') this.received(event, payload)
      else if (!this.#isLoaded) {
        this.#isLoaded = true
        this.emit('loaded', {})
      }
    }
    this.#end.push(receiveFrom<HostedMessage>(windowOf, this.#address.origin, this.#nonce, receive))
  }
}

function setInert(elements: readonly Element[], isInert: boolean): void {
  for (const each of elements) if (each instanceof HTMLElement) each.inert = isInert
}
