import { ACCEPT_FIELDS } from './accept-fields-script.js'
import { PAYLOAD_FIELDS } from './payload-fields-script.js'
import { STRIPE_FIELDS } from './stripe-fields-script.js'

/**
 * Script part for the fields of all processors. It loads the processor's script, shows the fields, turns the input into a
 * token, and puts the token into the form that is sent. Card numbers never enter the page itself.
 *
 * Each kind of fields is an entry of `railFields`. Its function mounts the fields in a box and returns
 * `{ focus(name), token(payer) }`. `token` returns `{ token }`, `{ problem, at }`, or undefined if the payer has closed
 * the fields.
 */
const SHARED = `
/** Kinds of fields of processors, by name. */
const railFields = {}
/** Scripts of processors that are loaded or being loaded, by address. */
const railScripts = new Map()
/** Fields that are mounted, by their box. */
const mountedFields = new WeakMap()
/** Milliseconds after which a page shows that the fields did not appear. */
const RAIL_PATIENCE = 20000
let isMakingToken = false

/** Loads the script of a processor once; rejects if the network or a content blocker stops it. */
function loadRailScript(address) {
  const known = railScripts.get(address)
  if (known) return known
  const loading = new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.addEventListener('load', () => resolve(undefined))
    script.addEventListener('error', () => {
      railScripts.delete(address)
      script.remove()
      reject(new Error('The script of the processor was not loaded'))
    })
    script.src = address
    document.head.append(script)
  })
  railScripts.set(address, loading)
  return loading
}

/** Mounts the fields of each box of a page that has none yet. */
function mountFields(page) {
  for (const box of page.querySelectorAll('[data-fields]'))
    if (!mountedFields.has(box)) {
      const mounting = mountIn(box)
      mountedFields.set(box, mounting)
      mounting.catch(() => showBlocked(box))
    }
}

async function mountIn(box) {
  const { fields, script, settings } = box.dataset
  const late = setTimeout(() => showBlocked(box), RAIL_PATIENCE)
  try {
    const kind = railFields[fields]
    kind.prepare?.(box)
    if (kind.isLoadedAnew) railScripts.delete(script)
    await loadRailScript(script)
    const mounted = await kind.mount(box, JSON.parse(settings))
    for (const label of box.querySelectorAll('label'))
      label.addEventListener('click', () => mounted.focus(label.dataset.of))
    box.querySelector('.blocked')?.remove()
    return mounted
  } finally {
    clearTimeout(late)
  }
}

/** Says that the fields did not appear; nothing can be paid without them. */
function showBlocked(box) {
  if (box.querySelector('.blocked')) return
  const notice = document.createElement('div')
  notice.className = 'notice problem blocked'
  notice.setAttribute('role', 'alert')
  const text = document.createElement('p')
  text.textContent = box.dataset.blocked
  notice.append(text)
  box.prepend(notice)
}

/** Shows a problem beside a field of a box, or removes the one that is there. */
function markRail(box, name, text) {
  const id = 'rail-' + name + '-error'
  document.getElementById(id)?.remove()
  if (text === undefined) return
  const error = document.createElement('p')
  error.id = id
  error.className = 'error'
  error.setAttribute('role', 'alert')
  error.textContent = text
  const place = box.querySelector('[data-rail-field="' + name + '"]') ?? box.firstElementChild
  place.before(error)
}

/** Sends a form that has fields of a processor only with a token; a second click changes nothing. */
function takeToken(event) {
  const box = event.target.querySelector('[data-fields]')
  if (!box || event.defaultPrevented || event.target.elements.gateway_token) return
  event.preventDefault()
  if (!isMakingToken) void makeToken(event.target, box)
}

async function makeToken(form, box) {
  isMakingToken = true
  const button = form.querySelector('[type=submit]')
  button.setAttribute('aria-disabled', 'true')
  // Browsers ignore a submission while the event of an earlier one is under way.
  await new Promise((resolve) => setTimeout(resolve))
  try {
    const mounted = await mountedFields.get(box)
    const { account_holder: holder, postal_code: postalCode } = form.elements
    const made = await mounted.token({ holder: holder?.value, postalCode: postalCode?.value })
    if (made?.token !== undefined) {
      const input = document.createElement('input')
      input.type = 'hidden'
      input.name = 'gateway_token'
      input.value = made.token
      form.append(input)
      isMakingToken = false
      form.requestSubmit(button)
    } else if (made) {
      markRail(box, made.at, made.problem)
      mounted.focus(made.at)
    }
  } catch {
    showBlocked(box)
  } finally {
    isMakingToken = false
    button.removeAttribute('aria-disabled')
  }
}

// Browsers may show an old page from memory after "Back", although its payment was made.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted && document.querySelector('[data-fields]')) location.reload()
})
`

/** The part of a payer's script that works with fields of processors. */
export const RAIL_FIELDS = `${SHARED}${STRIPE_FIELDS}${ACCEPT_FIELDS}${PAYLOAD_FIELDS}`
