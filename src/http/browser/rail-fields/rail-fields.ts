/**
 * The fields of all processors. Loads the processor's script, shows the fields, turns the input into a token, and puts the
 * token into the form that is sent. Card numbers never enter the page itself.
 */
import { forgetScript, loadScript } from '../frames/load-script.js'
import { acceptFields } from './accept-fields.js'
import { markRail } from './mark-rail.js'
import { payloadFields } from './payload-fields.js'
import type { MountedFields, RailKind } from './rail-kind.js'
import { stripeFields } from './stripe-fields.js'

/** Kinds of fields of processors, by name. */
const KINDS: Readonly<Record<string, RailKind>> = {
  stripe: stripeFields,
  accept: acceptFields,
  payload: payloadFields,
}
/** Fields that are mounted, by their box. */
const mountedFields = new WeakMap<HTMLElement, Promise<MountedFields>>()
/** Milliseconds after which a page shows that the fields did not appear. */
const RAIL_PATIENCE = 20000
let isMakingToken = false

/** Mounts the fields of each box of a page that has none yet. */
export function mountFields(page: HTMLElement): void {
  for (const box of page.querySelectorAll<HTMLElement>('[data-fields]'))
    if (!mountedFields.has(box)) {
      const mounting = mountIn(box)
      mountedFields.set(box, mounting)
      mounting.catch(() => showBlocked(box))
    }
}

async function mountIn(box: HTMLElement): Promise<MountedFields> {
  const { fields = '', script = '', settings = '{}' } = box.dataset
  const late = setTimeout(() => showBlocked(box), RAIL_PATIENCE)
  try {
    const kind = KINDS[fields]
    if (!kind) throw new Error(`There are no fields of the kind ${fields}`)
    kind.prepare?.(box)
    if (kind.isLoadedAnew) forgetScript(script)
    await loadScript(script)
    const mounted = await kind.mount(box, JSON.parse(settings))
    for (const label of box.querySelectorAll('label'))
      label.addEventListener('click', () => mounted.focus(label.dataset['of']))
    box.querySelector('.blocked')?.remove()
    return mounted
  } finally {
    clearTimeout(late)
  }
}

/** Says that the fields did not appear; no payment is possible without them. */
function showBlocked(box: HTMLElement): void {
  if (box.querySelector('.blocked')) return
  const notice = document.createElement('div')
  notice.className = 'notice problem blocked'
  notice.setAttribute('role', 'alert')
  const text = document.createElement('p')
  text.textContent = box.dataset['blocked'] ?? ''
  notice.append(text)
  box.prepend(notice)
}

/** Sends a form that has fields of a processor only with a token; a second click is ignored. */
export function takeToken(event: Event): void {
  const form = event.target
  if (!(form instanceof HTMLFormElement)) return
  const box = form.querySelector<HTMLElement>('[data-fields]')
  if (!box || event.defaultPrevented || form.elements.namedItem('gateway_token')) return
  event.preventDefault()
  if (!isMakingToken) void makeToken(form, box)
}

async function makeToken(form: HTMLFormElement, box: HTMLElement): Promise<void> {
  isMakingToken = true
  const button = form.querySelector<HTMLElement>('[type=submit]')
  button?.setAttribute('aria-disabled', 'true')
  // Browsers ignore a submission while the event of an earlier one is under way.
  await new Promise((resolve) => setTimeout(resolve))
  try {
    const mounted = await mountedFields.get(box)
    const holder = valueIn(form, 'account_holder')
    const made = await mounted?.token({ holder, postalCode: valueIn(form, 'postal_code') })
    if (made && made.problem === undefined) {
      const input = document.createElement('input')
      input.type = 'hidden'
      input.name = 'gateway_token'
      input.value = made.token
      form.append(input)
      isMakingToken = false
      form.requestSubmit(button)
    } else if (made) {
      markRail(box, made.at, made.problem)
      mounted?.focus(made.at)
    }
  } catch {
    showBlocked(box)
  } finally {
    isMakingToken = false
    button?.removeAttribute('aria-disabled')
  }
}

function valueIn(form: HTMLFormElement, name: string): string | undefined {
  const input = form.elements.namedItem(name)
  return input instanceof HTMLInputElement ? input.value : undefined
}

// Browsers may show an old page from memory after "Back", although its payment was made.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted && document.querySelector('[data-fields]')) location.reload()
})
