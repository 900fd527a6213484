import {
  choices,
  type FormChoice,
  type FormTextField,
  selectField,
  textArea,
  textField,
} from '../../html/form.js'
import { element, type Html, html } from '../../html/html.js'

/** Beginning of the names of fields that take a file. */
export const FILE_FIELD = 'file.'

/** A field of a write that is chosen from options. */
interface OptionsField {
  readonly name: string
  readonly label: string
  readonly hint?: string | undefined
  readonly value?: string | undefined
  readonly required?: boolean
  readonly options: readonly FormChoice[]
}

/** A field of a write. */
export type WriteField =
  | ({ readonly kind: 'text' } & Omit<FormTextField, 'error' | 'hasFocus' | 'problems'>)
  /** Radio buttons (`choice`), or a drop-down list (`select`). */
  | ({ readonly kind: 'choice' | 'select' } & OptionsField)
  /** A check box for each option; the value is the chosen options, separated by commas. */
  | ({ readonly kind: 'boxes' } & OptionsField)
  /** A check box with the value `true` or `false` (`yes`), or several lines of text (`area`). */
  | ({ readonly kind: 'yes' | 'area' } & Omit<OptionsField, 'options'>)
  /** A file, of the media types that are named. */
  | ({ readonly kind: 'file'; readonly accept: string } & Omit<OptionsField, 'options' | 'value'>)

export interface FilledWrite {
  readonly fields: readonly WriteField[]
  readonly values: ReadonlyMap<string, string>
  /** Problems of fields, by their names. */
  readonly errors: ReadonlyMap<string, string>
}

/** The value of a field in a posted form; empty if no form was posted. */
export function postedValue(field: WriteField, form: ReadonlyMap<string, string>): string {
  const value = form.get(field.name)
  if (value !== undefined || field.kind !== 'boxes') return value ?? ''
  const chosen = field.options.map((_, index) => form.get(boxName(field.name, index)))
  return chosen.filter((one) => one !== undefined).join(',')
}

/** The inputs of all fields; the first field with a problem has the focus. */
export function fieldsHtml({ fields, values, errors }: FilledWrite): readonly Html[] {
  const first = fields.find(({ name }) => errors.has(name))
  return fields.map((field) => {
    const error = errors.get(field.name)
    const hasFocus = first ? field === first : undefined
    const preset = field.kind === 'file' ? undefined : field.value
    return fieldHtml(field, { value: values.get(field.name) ?? preset, error, hasFocus })
  })
}

interface Given {
  readonly value: string | undefined
  readonly error: string | undefined
  readonly hasFocus: boolean | undefined
}

function fieldHtml(field: WriteField, given: Given): Html {
  const { value, error } = given
  switch (field.kind) {
    case 'text':
      return textField({ ...field, ...given, value: field.type === 'password' ? undefined : value })
    case 'choice':
      return choices({ ...field, ...given, chosen: value ?? '' })
    case 'select':
      return selectField({ ...field, ...given, chosen: value ?? '' })
    case 'area':
      return textArea({ ...field, ...given })
    case 'file': {
      const { name, label, hint, accept } = field
      return html`<label>${label}${hint && html`<span class="hint">${hint}</span>`}${element('input', { type: 'file', name, accept })}</label>
${errorHtml(error)}`
    }
    case 'boxes':
      return boxesHtml(field, value?.split(',') ?? [], error)
    case 'yes': {
      const { name, label, hint } = field
      // Browsers send no unchecked box, so the hidden `false` is sent always. If a name comes twice, the last value
      // counts.
      const box = element('input', { type: 'checkbox', name, value: 'true', checked: value === 'true' })
      return html`<input type="hidden" name="${name}" value="false">
${choiceHtml(box, label, hint)}${errorHtml(error)}`
    }
  }
}

function boxesHtml(
  { name, label, hint, options }: OptionsField,
  chosen: readonly string[],
  error?: string,
): Html {
  const boxes = options.map((option, index) => {
    const { value } = option
    const box = element('input', {
      type: 'checkbox',
      name: boxName(name, index),
      value,
      checked: chosen.includes(value),
    })
    return choiceHtml(box, option.label, option.hint)
  })
  return html`<fieldset>
<legend>${label}</legend>
${hint && html`<p class="hint">${hint}</p>`}${errorHtml(error)}${boxes}</fieldset>
`
}

function choiceHtml(box: Html, label: string, hint: string | undefined): Html {
  return html`<label class="choice">${box}<span>${label}${hint && html`<span>${hint}</span>`}</span></label>
`
}

function errorHtml(error: string | undefined): Html | undefined {
  return error === undefined
    ? undefined
    : html`<p class="error">${error}</p>
`
}

function boxName(name: string, index: number): string {
  return `${name}.${index}`
}
