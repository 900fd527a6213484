/**
 * The form of a payer's page. Formats and checks numbers before they are sent. Keeps the input when the payer chooses
 * another way to pay.
 */
import { isControl } from '../fields/field-problem.js'
import { tidy } from '../fields/field-typing.js'
import { takeToken } from '../rail-fields/rail-fields.js'
import { main } from './main-part.js'
import { fieldsOf, mark, showBrand, textOf } from './mark-field.js'
import { prepare } from './prepare.js'

main.addEventListener('input', (event) => {
  const { target } = event
  if (!isControl(target)) return
  if (target instanceof HTMLInputElement) {
    tidy(target, event)
    if (target.name === 'card_number') showBrand(target)
  }
  const field = target.type === 'radio' ? target.closest('fieldset') : target
  if (field && document.getElementById(`${field.id}-error`)) mark(field, textOf(field, false))
})

let isPressed = false
const release = () => {
  isPressed = false
}
addEventListener(
  'pointerdown',
  () => {
    isPressed = true
  },
  true,
)
for (const end of ['pointerup', 'pointercancel']) addEventListener(end, release, true)

main.addEventListener('focusout', ({ target }) => {
  if (!isControl(target) || !target.dataset['wrong'] || target.value === '') return
  const check = () => {
    if (target.isConnected) mark(target, textOf(target, false))
  }
  // A text that appears now would move a button away from under the pointer before it is released.
  if (isPressed) addEventListener('pointerup', () => setTimeout(check), { once: true })
  else check()
})

main.addEventListener('submit', (event) => {
  if (!(event.target instanceof HTMLFormElement)) return
  const problems = fieldsOf(event.target).map((field) => ({ field, text: textOf(field, true) }))
  const first = problems.find(({ text }) => text !== undefined)?.field
  if (!first) return
  event.preventDefault()
  for (const { field, text } of problems) mark(field, text)
  ;(first.querySelector('input') ?? first).focus()
})
main.addEventListener('submit', takeToken)

main.addEventListener('click', (event) => {
  const { target } = event
  if (!(target instanceof Element)) return
  const link = target.closest<HTMLAnchorElement>('nav a')
  if (link && main.querySelector('form')) {
    event.preventDefault()
    if (!link.hasAttribute('aria-current')) void choose(link.href)
  }
  if (target.closest('[data-print]')) print()
})

/** Typed values by name; they never leave this page. */
const typed = new Map<string, string>()

function shownInputs(): NodeListOf<HTMLInputElement> {
  return main.querySelectorAll('input:not([type=hidden])')
}

/** Shows the form of another way to pay, and fills in what was typed, secret or not. */
async function choose(address: string): Promise<void> {
  for (const { name, type, value, checked } of shownInputs())
    if (type !== 'radio' || checked) typed.set(name, value)
  try {
    const answer = await fetch(address)
    const text = answer.ok ? await answer.text() : ''
    const shown = new DOMParser().parseFromString(text, 'text/html').querySelector('main')
    if (!shown?.querySelector('form')) throw new Error('no form')
    main.replaceChildren(...shown.childNodes)
  } catch {
    location.assign(address)
    return
  }
  history.replaceState(null, '', address)
  for (const field of shownInputs()) {
    const value = typed.get(field.name)
    if (field.type === 'radio') field.checked = value === field.value
    else if (value !== undefined) field.value = value
  }
  prepare()
  main.querySelector<HTMLElement>('nav [aria-current]')?.focus()
}
