import { ACTION_PART } from '../action-script.js'
import { payerScript } from '../payer-script.js'

/**
 * The script of pages in a frame or window of a shop's page. It extends the script of payers' pages by messages to the
 * shop's page. Forms are sent without leaving the page: if the answer is lost, the input stays and can be sent again.
 */
export const HOSTED_SCRIPT = payerScript(`
const shop = parent === window ? opener : parent
let isSending = false

/** Sends an event to the shop's page. The browser delivers it only to the origin that the client key is for. */
function say(event, payload) {
  const { origin, nonce } = document.getElementById('host').dataset
  shop?.postMessage({ ...payload, payctl: nonce, event }, origin)
}

/** Reports the event of the page that is shown now. */
function report() {
  const { event } = document.getElementById('host').dataset
  if (event === undefined) return
  const { event: name, ...payload } = JSON.parse(event)
  if (name !== 'error') say('answered', {})
  say(name, payload)
}

function close() {
  if (!isSending) say('closed', {})
}

/**
 * The idempotency key of a form whose outcome is not known. The shop's page keeps it, as browsers may store nothing for
 * frames of other sites, and passes it on when the page is loaded again.
 */
let openKey = new URLSearchParams(location.search).get('attempt')

main.addEventListener('submit', (event) => {
  if (event.defaultPrevented) return
  event.preventDefault()
  if (!isSending) void send(event.target, event.submitter)
})

async function send(form, submitter) {
  isSending = true
  const body = new URLSearchParams(new FormData(form, submitter))
  // A form without a key pays nothing.
  if (body.has('key')) {
    openKey ??= body.get('key')
    body.set('key', openKey)
    say('sending', { attempt: openKey })
  }
  const button = form.querySelector('[type=submit]')
  button.setAttribute('aria-disabled', 'true')
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
      say('answered', {})
    }
    if (answer.redirected) history.replaceState(null, '', answer.url)
    replaceBy(shown)
  } catch {
    showLost(form)
  } finally {
    button.removeAttribute('aria-disabled')
    isSending = false
  }
}

/** Shows another page in the place of this one: its main part was shown in an answer, and is not requested again. */
function replaceBy(shown) {
  document.title = shown.ownerDocument.title
  main.setAttribute('aria-label', document.title)
  const first = shown.querySelector('[autofocus]')
  // Browsers refuse autofocus in frames of other sites, and report that in the console.
  first?.removeAttribute('autofocus')
  main.replaceChildren(...shown.childNodes)
  prepare()
  report()
  const heading = main.querySelector('h1')
  heading.tabIndex = -1
  ;(first ?? main.querySelector('[aria-invalid=true]') ?? heading).focus()
}

/** Shows that the answer was lost; the form keeps its input. */
function showLost(form) {
  main.querySelector('.notice.problem')?.remove()
  const notice = document.createElement('div')
  notice.className = 'notice problem'
  notice.setAttribute('role', 'alert')
  notice.tabIndex = -1
  const line = document.createElement('p')
  line.textContent = document.getElementById('host').dataset.lost
  notice.append(line)
  form.before(notice)
  notice.focus()
}

main.addEventListener('click', (event) => {
  if (event.target.closest('[data-close]')) close()
  const link = event.target.closest('a')
  // Pages without frame support would replace the form, so links to them open a new tab.
  if (link && !link.pathname.includes('/components/')) link.target = '_blank'
})
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape' && main.querySelector('[data-close]')) close()
})
addEventListener('message', ({ source, origin, data }) => {
  const host = document.getElementById('host').dataset
  if (source === shop && origin === host.origin && data?.payctl === host.nonce && data.event === 'close') close()
})

new ResizeObserver(() => say('resized', { height: Math.ceil(document.documentElement.getBoundingClientRect().height) })).observe(
  document.body,
)
say('loaded', {})
report()
${ACTION_PART}`)
