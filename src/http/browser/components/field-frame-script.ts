import { FIELD_CHECKS } from '../field-checks.js'
import { FIELD_TYPING } from '../field-typing.js'

/**
 * The script of a frame with a secure field, a constant that its policy allows by its hash. Only the controller reads
 * the input: a sibling frame of the same origin, with the same client key and group. The page around the frames
 * receives states.
 */
export const FIELD_FRAME_SCRIPT = `'use strict'
{
${FIELD_CHECKS}${FIELD_TYPING}
const group = new URLSearchParams(location.search).get('group')
const { key, field } = document.body.dataset
const inputs = [...document.querySelectorAll('input')]
const main = document.getElementById('field')

/** Origin of the page around this frame, once its first message has come. */
let origin

function tell(type, more) {
  if (origin !== undefined) parent.postMessage({ payctl: group, type, ...more }, origin)
}

/** The state of the field, for the page: it contains no digits, and does not reveal single key strokes. */
function stateOf() {
  const brand = inputs.map((input) => (input.name === 'card_number' ? brandOf(input.value) : undefined)).find(Boolean)
  return {
    empty: inputs.every(({ value }) => value.trim() === ''),
    complete: inputs.every((input) => input.value.trim() !== '' && textOf(input, false) === undefined),
    brand: brand ?? null,
  }
}

let told = JSON.stringify(stateOf())

function tellChange() {
  const state = stateOf()
  if (JSON.stringify(state) === told) return
  told = JSON.stringify(state)
  tell('change', state)
}

/** The text of an input's problem; undefined for none. A missing value is one only when the form is sent. */
function textOf({ name, value, dataset: { missing, wrong, past } }, isSending) {
  if (isSending && value.trim() === '') return missing
  return { wrong, past }[problemOf(name, value, Date.now())]
}

/** Texts of the problems that are shown, by input. */
const shown = new Map()

/** Shows the problem of an input, or removes the one that is there. */
function mark(input, text) {
  const error = document.getElementById(input.name + '-error')
  error.textContent = text ?? ''
  if (text === undefined) {
    shown.delete(input)
    input.removeAttribute('aria-invalid')
  } else {
    shown.set(input, text)
    input.setAttribute('aria-invalid', 'true')
  }
}

function tellProblem() {
  const [message] = shown.values()
  if (message === undefined) tell('valid')
  else tell('invalid', { message })
}

main.addEventListener('input', ({ target, inputType }) => {
  tidy(target, String(inputType).startsWith('delete'))
  if (shown.has(target)) {
    mark(target, textOf(target, false))
    if (shown.size === 0) tellProblem()
  }
  tellChange()
})

main.addEventListener('focusin', ({ relatedTarget }) => {
  if (relatedTarget === null) tell('focus')
})

main.addEventListener('focusout', ({ target, relatedTarget }) => {
  const before = shown.get(target)
  if (target.value.trim() !== '') mark(target, textOf(target, false))
  if (shown.get(target) !== before || stateOf().complete) tellProblem()
  if (relatedTarget === null) tell('blur')
})

main.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.isComposing) return
  event.preventDefault()
  const next = inputs.slice(inputs.indexOf(event.target) + 1).find(({ value }) => value === '')
  if (next) next.focus()
  else tell('enter')
})

let refusesPaste = false
for (const type of ['paste', 'drop'])
  main.addEventListener(type, (event) => {
    if (refusesPaste) event.preventDefault()
  })

/** Properties that a page may set: they reach the inputs as values of properties, never as a stylesheet. */
const STYLES = ['color', 'font-family', 'font-size', 'font-style', 'font-weight', 'letter-spacing', 'line-height', 'text-align']

function dress({ label, placeholder, disablePaste, style }) {
  refusesPaste = disablePaste === true
  for (const name of STYLES)
    if (typeof style?.[name] === 'string') for (const input of inputs) input.style.setProperty(name, style[name])
  if (typeof style?.['color-scheme'] === 'string')
    document.documentElement.style.setProperty('color-scheme', style['color-scheme'])
  if (typeof label === 'string' && label !== '') (inputs.length === 1 ? inputs[0] : main).setAttribute('aria-label', label)
  if (typeof placeholder === 'string' && inputs.length === 1) inputs[0].placeholder = placeholder
}

function clear() {
  for (const input of inputs) {
    input.value = ''
    mark(input, undefined)
  }
  tellChange()
}

addEventListener('message', ({ source, origin: from, data }) => {
  if (source !== parent || source === window || data?.payctl !== group) return
  if (origin !== undefined && from !== origin) return
  switch (data.type) {
    case 'start':
      origin = from
      dress(data)
      tell('height', { pixels: main.offsetHeight })
      new ResizeObserver(() => tell('height', { pixels: main.offsetHeight })).observe(main)
      break
    case 'focus':
      ;(inputs.find((input) => shown.has(input)) ?? inputs.find(({ value }) => value === '') ?? inputs[0]).focus()
      break
    case 'clear':
      clear()
      break
  }
})

/** The interface for the controller. Windows of other origins cannot read it. */
window.payctlField = {
  key,
  group,
  name: field,
  /** The values by name, and the texts of their problems, which are shown from now on. */
  read() {
    for (const input of inputs) mark(input, textOf(input, true))
    if (shown.size > 0) tellProblem()
    return {
      values: Object.fromEntries(inputs.map(({ name, value }) => [name, value.trim()])),
      problems: Object.fromEntries([...shown].map(([{ name }, text]) => [name, text])),
    }
  },
  isEmpty: () => stateOf().empty,
  /** Shows problems that the service has found, by name. */
  refuse(problems) {
    for (const input of inputs) if (problems[input.name] !== undefined) mark(input, String(problems[input.name]))
    if (shown.size > 0) tellProblem()
  },
  focus: () => (inputs.find((input) => shown.has(input)) ?? inputs[0]).focus(),
}

parent.postMessage({ payctl: group, type: 'ready' }, '*')
}
`
