/**
 * The script of a frame with a secure field, which its policy allows by its hash. Only the controller reads the input: a
 * sibling frame of the same origin, with the same client key and group. The page around the frames receives states.
 */
import { brandOf } from './fields/field-checks.js'
import { problemText } from './fields/field-problem.js'
import { tidy } from './fields/field-typing.js'
import { FIELD_STYLES } from './frames/field-styles.js'
import type { FieldState, FromField, Posted, ToField } from './frames/frame-message.js'
import { group } from './frames/secure-frame.js'

const { key, field } = document.body.dataset
const inputs = [...document.querySelectorAll('input')]
const main = document.querySelector<HTMLElement>('#field') ?? document.body

/** Origin of the page around this frame, once its first message has come. */
let origin: string | undefined

function post(message: FromField): void {
  if (origin !== undefined) parent.postMessage({ payctl: group, ...message }, origin)
}

function stateOf(): FieldState {
  const brands = inputs.map(({ name, value }) => (name === 'card_number' ? brandOf(value) : undefined))
  return {
    empty: inputs.every(({ value }) => value.trim() === ''),
    complete: inputs.every((input) => input.value.trim() !== '' && problemText(input, false) === undefined),
    brand: brands.find((brand) => brand !== undefined) ?? null,
  }
}

let posted = JSON.stringify(stateOf())

function postChange(): void {
  const state = stateOf()
  if (JSON.stringify(state) === posted) return
  posted = JSON.stringify(state)
  post({ type: 'change', ...state })
}

/** Texts of the problems that are shown, by input. */
const shown = new Map<HTMLInputElement, string>()

/** Shows the problem of an input, or removes the one that is there. */
function mark(input: HTMLInputElement, text: string | undefined): void {
  const error = document.getElementById(`${input.name}-error`)
  if (error) error.textContent = text ?? ''
  if (text === undefined) {
    shown.delete(input)
    input.removeAttribute('aria-invalid')
  } else {
    shown.set(input, text)
    input.setAttribute('aria-invalid', 'true')
  }
}

function postProblem(): void {
  const [message] = shown.values()
  post(message === undefined ? { type: 'valid' } : { type: 'invalid', message })
}

main.addEventListener('input', (event) => {
  const { target } = event
  if (!(target instanceof HTMLInputElement)) return
  tidy(target, event)
  if (shown.has(target)) {
    mark(target, problemText(target, false))
    if (shown.size === 0) postProblem()
  }
  postChange()
})

main.addEventListener('focusin', ({ relatedTarget }) => {
  if (relatedTarget === null) post({ type: 'focus' })
})

main.addEventListener('focusout', ({ target, relatedTarget }) => {
  if (target instanceof HTMLInputElement) {
    const before = shown.get(target)
    if (target.value.trim() !== '') mark(target, problemText(target, false))
    if (shown.get(target) !== before || stateOf().complete) postProblem()
  }
  if (relatedTarget === null) post({ type: 'blur' })
})

main.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.isComposing) return
  event.preventDefault()
  const { target } = event
  const later = target instanceof HTMLInputElement ? inputs.slice(inputs.indexOf(target) + 1) : inputs
  const next = later.find(({ value }) => value === '')
  if (next) next.focus()
  else post({ type: 'enter' })
})

let refusesPaste = false
for (const type of ['paste', 'drop'])
  main.addEventListener(type, (event) => {
    if (refusesPaste) event.preventDefault()
  })

/** Takes over what the page may set: it reaches the inputs as values of properties, never as a stylesheet. */
function dress({ label, placeholder, disablePaste, style }: ToField & { readonly type: 'start' }): void {
  refusesPaste = disablePaste === true
  for (const name of FIELD_STYLES) {
    const value = style?.[name]
    if (typeof value === 'string') for (const input of inputs) input.style.setProperty(name, value)
  }
  const scheme = style?.['color-scheme']
  if (typeof scheme === 'string') document.documentElement.style.setProperty('color-scheme', scheme)
  const [only] = inputs.length === 1 ? inputs : []
  if (typeof label === 'string' && label !== '') (only ?? main).setAttribute('aria-label', label)
  if (typeof placeholder === 'string' && only) only.placeholder = placeholder
}

function clear(): void {
  for (const input of inputs) {
    input.value = ''
    mark(input, undefined)
  }
  postChange()
}

function postHeight(): void {
  post({ type: 'height', pixels: main.offsetHeight })
}

addEventListener('message', ({ source, origin: from, data }: MessageEvent<Posted<ToField> | null>) => {
  if (source !== parent || source === window || data?.payctl !== group) return
  if (origin !== undefined && from !== origin) return
  switch (data.type) {
    case 'start':
      origin = from
      dress(data)
      postHeight()
      new ResizeObserver(postHeight).observe(main)
      break
    case 'focus':
      ;(
        inputs.find((input) => shown.has(input)) ??
        inputs.find(({ value }) => value === '') ??
        inputs[0]
      )?.focus()
      break
    case 'clear':
      clear()
      break
    default:
      data satisfies never
  }
})

window.payctlField = {
  key,
  group,
  name: field,
  read() {
    for (const input of inputs) mark(input, problemText(input, true))
    if (shown.size > 0) postProblem()
    return {
      values: Object.fromEntries(inputs.map(({ name, value }) => [name, value.trim()])),
      problems: Object.fromEntries([...shown].map(([{ name }, text]) => [name, text])),
    }
  },
  isEmpty: () => stateOf().empty,
  refuse(problems) {
    for (const input of inputs) {
      const problem = problems[input.name]
      if (problem !== undefined) mark(input, String(problem))
    }
    if (shown.size > 0) postProblem()
  },
  focus: () => (inputs.find((input) => shown.has(input)) ?? inputs[0])?.focus(),
}

parent.postMessage({ payctl: group, type: 'ready' }, '*')
