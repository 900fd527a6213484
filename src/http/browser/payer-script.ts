import { FIELD_CHECKS } from './field-checks.js'
import { FIELD_TYPING } from './field-typing.js'
import { RAIL_FIELDS } from './rail-fields/rail-fields-script.js'

/** Script part of every payer's page; the parts after it may call its functions. */
const PAYER_PART = `
const main = document.querySelector('main')

function showBrand(field) {
  const label = field.parentElement.querySelector('label')
  const brand = label.querySelector('.brand') ?? label.appendChild(document.createElement('span'))
  brand.className = 'brand'
  brand.textContent = brandOf(field.value) ?? ''
}

/** The text of a field's problem; undefined for none. A missing value is one only when the form is sent. */
function textOf(field, isSending) {
  const { missing, wrong, past } = field.dataset
  if (field.localName === 'fieldset') return isSending && !field.querySelector(':checked') ? missing : undefined
  if (isSending && field.value.trim() === '') return missing
  return { wrong, past }[problemOf(field.name, field.value, Date.now())]
}

/** Shows a problem beside its field, or removes the one that is there. */
function mark(field, text) {
  const id = field.id + '-error'
  document.getElementById(id)?.remove()
  const others = (field.getAttribute('aria-describedby') ?? '').split(' ').filter((one) => one !== '' && one !== id)
  if (text === undefined) field.removeAttribute('aria-invalid')
  else {
    const error = document.createElement('p')
    error.id = id
    error.className = 'error'
    error.textContent = text
    if (field.localName === 'fieldset') field.querySelector('legend').after(error)
    else {
      field.before(error)
      field.setAttribute('aria-invalid', 'true')
    }
    others.push(id)
  }
  if (others.length === 0) field.removeAttribute('aria-describedby')
  else field.setAttribute('aria-describedby', others.join(' '))
}

function fieldsOf(form) {
  return [...form.querySelectorAll('[data-missing], [data-wrong]')]
}

main.addEventListener('input', ({ target, inputType }) => {
  tidy(target, String(inputType).startsWith('delete'))
  if (target.name === 'card_number') showBrand(target)
  const field = target.type === 'radio' ? target.closest('fieldset') : target
  if (field && document.getElementById(field.id + '-error')) mark(field, textOf(field, false))
})

let isPressed = false
addEventListener('pointerdown', () => (isPressed = true), true)
for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => (isPressed = false), true)

main.addEventListener('focusout', ({ target }) => {
  if (!target.dataset.wrong || target.value === '') return
  const check = () => target.isConnected && mark(target, textOf(target, false))
  // A text that appears now would move a button away from under the pointer before it is released.
  if (isPressed) addEventListener('pointerup', () => setTimeout(check), { once: true })
  else check()
})

main.addEventListener('submit', (event) => {
  const problems = fieldsOf(event.target).map((field) => [field, textOf(field, true)])
  const [first] = problems.filter(([, text]) => text !== undefined).map(([field]) => field)
  if (!first) return
  event.preventDefault()
  for (const [field, text] of problems) mark(field, text)
  ;(first.querySelector('input') ?? first).focus()
})
main.addEventListener('submit', takeToken)

main.addEventListener('click', (event) => {
  const link = event.target.closest('nav a')
  if (link && main.querySelector('form')) {
    event.preventDefault()
    if (!link.hasAttribute('aria-current')) void choose(link.href)
  }
  if (event.target.closest('[data-print]')) print()
})

/** Typed values by name; they never leave this page. */
const typed = new Map()

/** Shows the form of another way to pay, and fills in what was typed, secret or not. */
async function choose(address) {
  for (const { name, type, value, checked } of main.querySelectorAll('input:not([type=hidden])'))
    if (type !== 'radio') typed.set(name, value)
    else if (checked) typed.set(name, value)
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
  for (const field of main.querySelectorAll('input:not([type=hidden])'))
    if (field.type === 'radio') field.checked = typed.get(field.name) === field.value
    else if (typed.has(field.name)) field.value = typed.get(field.name)
  prepare()
  main.querySelector('nav [aria-current]').focus()
}

/** The mark of a page whose payment is open; this line itself does not match. */
const OPEN = /<h1 [^>]*data-open/

/** Looks again while the page says that the payment is open; each pause is longer than the one before. */
async function lookAgain() {
  for (let pause = 3000; ; pause = Math.min(pause * 1.5, 60000)) {
    await new Promise((resolve) => setTimeout(resolve, pause))
    try {
      const answer = await fetch(location.href, { redirect: 'manual' })
      if (answer.ok ? !OPEN.test(await answer.text()) : answer.status < 400) break
    } catch {
      // There is no network just now.
    }
  }
  // Not by reload, which would send a form again.
  location.replace(location.href)
}

function showLocalTime(time) {
  const parts = { year: 'numeric', month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZoneName: 'short' }
  time.title = time.textContent
  time.textContent = new Intl.DateTimeFormat(document.documentElement.lang, parts).format(new Date(time.dateTime))
}

function prepare() {
  const number = main.querySelector('[name=card_number]')
  if (number) showBrand(number)
  for (const hidden of main.querySelectorAll('[data-print]')) hidden.hidden = false
  for (const time of main.querySelectorAll('time[data-local]')) showLocalTime(time)
  if (main.querySelector('[data-open]')) void lookAgain()
  mountFields(main)
}

prepare()
`

/**
 * The script of payers' pages. Their Content Security Policy allows this constant by its hash. Pages without fields of a
 * processor also work without the script. It formats and checks numbers before they are sent, and keeps the input when
 * the payer chooses another way to pay. It prints, shows local times, and polls while a payment is open. Its texts are
 * attributes of the page.
 */
export const PAYER_SCRIPT = payerScript('')

/** The script of a payer's page, with more that uses its functions. */
export function payerScript(more: string): string {
  return `'use strict'
{
${FIELD_CHECKS}${FIELD_TYPING}${RAIL_FIELDS}${PAYER_PART}${more}}
`
}
