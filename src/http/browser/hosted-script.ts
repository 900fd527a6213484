/**
 * The script of pages in a frame or window of a shop's page. It extends the script of payers' pages by messages to the
 * shop's page. Forms are sent without leaving the page: if the answer is lost, the input stays and can be sent again.
 */
import './payer-script.js'
import type { HostedMessage, Posted } from './frames/frame-message.js'
import { beginStep } from './payer/authentication-step.js'
import { main } from './payer/main-part.js'
import { prepare } from './payer/prepare.js'

const shop: Window | null = parent === window ? window.opener : parent
let isSending = false

/** Data of the shop's page, which are an element of each hosted page. */
function hostData(): DOMStringMap {
  return document.getElementById('host')?.dataset ?? {}
}

/** Sends an event to the shop's page. The browser delivers it only to the origin that the client key is for. */
function post(message: HostedMessage): void {
  const { origin = '/', nonce } = hostData()
  const posted: Posted<HostedMessage> = { ...message, payctl: nonce }
  shop?.postMessage(posted, origin)
}

/** Reports the event of the page that is shown now. */
function report(): void {
  const { event } = hostData()
  if (event === undefined) return
  const message: HostedMessage = JSON.parse(event)
  if (message.event !== 'error') post({ event: 'answered' })
  post(message)
}

function close(): void {
  if (!isSending) post({ event: 'closed' })
}

/**
 * The idempotency key of a form whose outcome is not known. The shop's page keeps it, and passes it on when the page is
 * loaded again: browsers may not store it for frames of other sites.
 */
let openKey = new URLSearchParams(location.search).get('attempt')

main.addEventListener('submit', (event) => {
  if (event.defaultPrevented || !(event.target instanceof HTMLFormElement)) return
  event.preventDefault()
  if (!isSending) void send(event.target, event.submitter)
})

/** The input of a form, under the key that is open. */
function inputOf(form: HTMLFormElement, submitter: HTMLElement | null): URLSearchParams {
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(form, submitter))
    if (typeof value === 'string') body.append(name, value)
  // A form without a key does not pay.
  if (body.has('key')) {
    openKey ??= body.get('key')
    body.set('key', String(openKey))
    post({ event: 'sending', attempt: openKey })
  }
  return body
}

async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  isSending = true
  const body = inputOf(form, submitter)
  const button = form.querySelector('[type=submit]')
  button?.setAttribute('aria-disabled', 'true')
  try {
    const answer = await fetch(form.action, { method: 'POST', body })
    const text = await answer.text()
    const shown = new DOMParser().parseFromString(text, 'text/html').querySelector('main')
    const isRefused = answer.status >= 500 || answer.status === 429
    if (!shown || (isRefused && !shown.querySelector('form'))) throw new Error('no outcome')
    if (shown.querySelector('[data-own]')) {
      // The policy of this page allows a script of a processor, so the page must be loaded as a document of its own.
      location.replace(answer.url)
      return
    }
    if (!isRefused && !shown.querySelector('[data-open]')) {
      openKey = null
      post({ event: 'answered' })
    }
    if (answer.redirected) history.replaceState(null, '', answer.url)
    replaceBy(shown)
  } catch {
    showLost(form)
  } finally {
    button?.removeAttribute('aria-disabled')
    isSending = false
  }
}

/** Shows another page in the place of this one: its main part was shown in an answer, and is not requested again. */
function replaceBy(shown: HTMLElement): void {
  document.title = shown.ownerDocument.title
  main.setAttribute('aria-label', document.title)
  const first = shown.querySelector<HTMLElement>('[autofocus]')
  // Browsers refuse autofocus in frames of other sites, and report that in the console.
  first?.removeAttribute('autofocus')
  main.replaceChildren(...shown.childNodes)
  prepare()
  report()
  const heading = main.querySelector('h1')
  if (heading) heading.tabIndex = -1
  ;(first ?? main.querySelector<HTMLElement>('[aria-invalid=true]') ?? heading)?.focus()
}

/** Shows that the answer was lost; the form keeps its input. */
function showLost(form: HTMLFormElement): void {
  main.querySelector('.notice.problem')?.remove()
  const notice = document.createElement('div')
  notice.className = 'notice problem'
  notice.setAttribute('role', 'alert')
  notice.tabIndex = -1
  const line = document.createElement('p')
  line.textContent = hostData()['lost'] ?? ''
  notice.append(line)
  form.before(notice)
  notice.focus()
}

main.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return
  if (target.closest('[data-close]')) close()
  const link = target.closest('a')
  // Pages without frame support would replace the form, so links to them open a new tab.
  if (link && !link.pathname.includes('/components/')) link.target = '_blank'
})
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape' && main.querySelector('[data-close]')) close()
})
addEventListener('message', ({ source, origin, data }: MessageEvent<Posted<HostedMessage> | null>) => {
  const host = hostData()
  if (
    source === shop &&
    origin === host['origin'] &&
    data?.payctl === host['nonce'] &&
    data?.event === 'close'
  )
    close()
})

const resized = () => {
  const { height } = document.documentElement.getBoundingClientRect()
  post({ event: 'resized', height: Math.ceil(height) })
}
new ResizeObserver(resized).observe(document.body)
post({ event: 'loaded' })
report()
beginStep()
