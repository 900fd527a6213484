import { element, type Html, html, type Insert } from './html.js'
import { pageAddress } from './page-address.js'

/** The name of the field that holds a form's token. */
export const TOKEN_FIELD = 'form_token'

export interface FieldProblems {
  readonly missing?: string | undefined
  readonly wrong?: string | undefined
  readonly past?: string | undefined
}

/** A field of a form. */
interface Labelled {
  readonly name: string
  readonly label: string
  readonly hint?: string | undefined
  /** Problem of the value that was sent. */
  readonly error?: string | undefined
  /** Texts that the page's script shows for a missing value, for a wrong value, and for a date in the past. */
  readonly problems?: FieldProblems | undefined
  /** Whether the field has the focus when the page is loaded. The first wrong field has it. */
  readonly hasFocus?: boolean | undefined
}

/** A field to type into. */
export interface FormTextField extends Labelled {
  /** The value that was sent, unless it is secret. */
  readonly value?: string | undefined
  readonly type?: 'text' | 'email' | 'password' | 'tel'
  readonly inputmode?: 'numeric' | 'decimal' | 'email' | 'tel'
  /** Value of the HTML attribute `autocomplete`; `off` for values that browsers should not store. */
  readonly autocomplete?: string
  readonly required?: boolean
  readonly maxlength?: number
  readonly placeholder?: string
  /** Whether the field is short. Two short fields in a row are placed beside each other. */
  readonly isShort?: boolean
}

/** One of several radio buttons, or a check box. */
export interface FormChoice {
  readonly value: string
  readonly label: string
  readonly hint?: string | undefined
}

/**
 * A form that is posted, with a token, if given, that proves the form's origin. Browsers do not validate it: the server
 * shows errors beside their fields.
 */
export function form(action: string, token: string | undefined, ...body: readonly Insert[]): Html {
  return html`<form method="post" action="${pageAddress(action)}" novalidate>
${token === undefined ? undefined : hidden(TOKEN_FIELD, token)}
${body}
</form>`
}

/** A form that can also send files. */
export function fileForm(action: string, token: string | undefined, ...body: readonly Insert[]): Html {
  return html`<form method="post" action="${pageAddress(action)}" enctype="multipart/form-data" novalidate>
${token === undefined ? undefined : hidden(TOKEN_FIELD, token)}
${body}
</form>`
}

export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`
}

export function textField(field: FormTextField): Html {
  const {
    name,
    label,
    value,
    type = 'text',
    inputmode,
    autocomplete,
    required,
    maxlength,
    placeholder,
  } = field
  const id = idOf(name)
  const input = element('input', {
    id,
    name,
    type,
    value,
    inputmode,
    autocomplete,
    maxlength,
    placeholder,
    required,
    dir: type === 'text' && inputmode === undefined ? 'auto' : undefined,
    ...fieldAttributes(field),
    ...(type !== 'text' || autocomplete === 'off' ? { autocapitalize: 'none', spellcheck: 'false' } : {}),
  })
  return html`<div class="${field.isShort ? 'field half' : 'field'}">
<label for="${id}" dir="auto">${label}</label>
${hintAndError(field)}${input}
</div>
`
}

/** A drop-down list. */
export function selectField(
  field: Labelled & { options: readonly FormChoice[]; chosen?: string | undefined },
): Html {
  const { name, label, options, chosen } = field
  const id = idOf(name)
  const items = options.map(({ value, label: text, hint }) =>
    element('option', { value, selected: value === chosen }, hint === undefined ? text : `${text} · ${hint}`),
  )
  return html`<div class="field">
<label for="${id}">${label}</label>
${hintAndError(field)}${element('select', { id, name, ...fieldAttributes(field) }, items)}
</div>
`
}

/** A field for several lines of text. */
export function textArea(field: Labelled & { value?: string | undefined }): Html {
  const { name, label, value = '' } = field
  const id = idOf(name)
  return html`<div class="field">
<label for="${id}">${label}</label>
${hintAndError(field)}${element('textarea', { id, name, rows: 4, spellcheck: 'false', ...fieldAttributes(field) }, value)}
</div>
`
}

/** Radio buttons, each with its label and hint. */
export function choices(
  group: Labelled & { options: readonly FormChoice[]; chosen?: string | undefined },
): Html {
  const { name, label, options, chosen } = group
  const radios = options.map(({ value, label: text, hint }, index) => {
    const checked = value === chosen
    const radio = element('input', {
      type: 'radio',
      name,
      value,
      checked,
      autofocus: index === 0 && group.hasFocus,
    })
    return html`<label class="choice">${radio}<span>${text}${hint && html`<span>${hint}</span>`}</span></label>
`
  })
  const content = html`
<legend>${label}</legend>
${hintAndError(group)}${radios}`
  const { 'aria-invalid': _, autofocus: __, ...described } = fieldAttributes(group)
  return html`${element('fieldset', { id: idOf(name), ...described }, content)}
`
}

/** A check box. */
export function checkbox(name: string, { value, label, hint }: FormChoice, checked = false): Html {
  const box = element('input', { type: 'checkbox', name, value, checked })
  return html`<label class="choice">${box}<span>${label}${hint && html`<span>${hint}</span>`}</span></label>
`
}

/** A button that sends the form; a quiet button is less prominent than the main button. */
export function button(label: string, { name, value, quiet }: ButtonOptions = {}): Html {
  const kind = quiet ? 'quiet' : undefined
  return html`${element('button', { type: 'submit', name, value, class: kind }, label)}
`
}

interface ButtonOptions {
  readonly name?: string
  readonly value?: string
  readonly quiet?: boolean
}

/** A message; screen readers read a problem at once. With `hasFocus`, the message has the focus. */
export function notice(kind: 'problem' | 'done' | 'note', text: Insert, hasFocus = false): Html {
  const role = kind === 'problem' ? 'alert' : 'status'
  const focus = { tabindex: hasFocus && -1, autofocus: hasFocus }
  return html`${element('div', { class: `notice ${kind}`, role, ...focus }, html`<p>${text}</p>`)}
`
}

function fieldAttributes({ name, hint, error, hasFocus, problems = {} }: Labelled) {
  const ids = [hint && hintId(name), error && errorId(name)].filter(Boolean).join(' ')
  return {
    'aria-describedby': ids === '' ? undefined : ids,
    'aria-invalid': error === undefined ? undefined : 'true',
    autofocus: hasFocus,
    'data-missing': problems.missing,
    'data-wrong': problems.wrong,
    'data-past': problems.past,
  }
}

function hintAndError({ name, hint, error }: Labelled): Html {
  return html`${
    hint &&
    html`<p class="hint" id="${hintId(name)}">${hint}</p>
`
  }${
    error &&
    html`<p class="error" id="${errorId(name)}">${error}</p>
`
  }`
}

function idOf(name: string): string {
  return `field-${name}`
}

function hintId(name: string): string {
  return `${idOf(name)}-hint`
}

function errorId(name: string): string {
  return `${idOf(name)}-error`
}
