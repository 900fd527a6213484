import {
  button,
  choices,
  type FormChoice,
  type FormTextField,
  form,
  hidden,
  notice,
  textField,
} from '../form.js'
import { type Html, html, type Insert } from '../html.js'
import { pageAddress } from '../page-address.js'
import { cardHtml, type Fact, factsHtml } from './facts.js'

/** Names of the fields that each write has beside its own. */
export const WRITE = {
  step: 'write.step',
  key: 'write.key',
  version: 'write.version',
  state: 'write.state',
  typed: 'write.typed',
} as const

/** A field of a write: a text, or one of several choices. */
export type WriteField =
  | ({ readonly kind: 'text' } & Omit<FormTextField, 'error' | 'hasFocus' | 'problems'>)
  | {
      readonly kind: 'choice'
      readonly name: string
      readonly label: string
      readonly options: readonly FormChoice[]
      readonly value?: string | undefined
      readonly required?: boolean
    }

/** What the form and the preview share. */
export interface WriteHead {
  readonly heading: string
  readonly summary: string
  readonly facts: readonly Fact[]
  /** Address of the page. */
  readonly action: string
  readonly token: string
  readonly state: string
  readonly back: { readonly label: string; readonly address: string }
  /** Why the last attempt did nothing. */
  readonly problem?: string | undefined
}

export interface FilledFields {
  readonly fields: readonly WriteField[]
  readonly values: ReadonlyMap<string, string>
  /** Problems of fields, by their names. */
  readonly errors: ReadonlyMap<string, string>
}

/** The first step. */
export function writeFormHtml(head: WriteHead, filled: FilledFields): Html {
  return html`${headHtml(head)}${form(
    head.action,
    head.token,
    hidden(WRITE.state, head.state),
    hidden(WRITE.step, 'preview'),
    fieldsHtml(filled),
    buttonsHtml(head, button('Continue')),
  )}
`
}

export interface PreviewParts {
  readonly label: string
  readonly facts: readonly Fact[]
  readonly key: string
  readonly version: string
  readonly values: ReadonlyMap<string, string>
  /** Whether there is a form to return to. */
  readonly hasForm: boolean
  /** The field in which live has the amount typed. */
  readonly typed?: FormTextField | undefined
}

/** The second step: exactly what will be done. */
export function writePreviewHtml(head: WriteHead, parts: PreviewParts): Html {
  const { label, facts, key, version, values, hasForm, typed } = parts
  const change = hasForm ? button('Change', { name: WRITE.step, value: 'change', quiet: true }) : undefined
  return html`${headHtml(head)}${cardHtml('What will happen', factsHtml(facts))}${form(
    head.action,
    head.token,
    hidden(WRITE.state, head.state),
    hidden(WRITE.key, key),
    hidden(WRITE.version, version),
    [...values].map(([name, value]) => hidden(name, value)),
    typed && textField(typed),
    buttonsHtml(head, button(label, { name: WRITE.step, value: 'do' }), change),
  )}
`
}

/** A write that the state of its object does not allow. */
export function writeClosedHtml(head: WriteHead): Html {
  return html`${headHtml(head)}<p><a class="button" href="${pageAddress(head.back.address)}">${head.back.label}</a></p>
`
}

function headHtml({ heading, summary, facts, problem }: WriteHead): Html {
  return html`<h1>${heading}</h1>
<p class="faint">${summary}</p>
${problem === undefined ? undefined : notice('problem', problem, true)}${facts.length === 0 ? undefined : cardHtml(undefined, factsHtml(facts))}`
}

function buttonsHtml({ back }: WriteHead, ...buttons: readonly Insert[]): Html {
  return html`<div class="buttons">
${buttons}<a href="${pageAddress(back.address)}">${back.label}</a>
</div>`
}

function fieldsHtml({ fields, values, errors }: FilledFields): readonly Html[] {
  const first = fields.find(({ name }) => errors.has(name))
  return fields.map((field) => {
    const given = {
      error: errors.get(field.name),
      hasFocus: first ? field === first : undefined,
    }
    const value = values.get(field.name) ?? field.value
    return field.kind === 'text'
      ? textField({ ...field, ...given, value })
      : choices({ ...field, ...given, chosen: value })
  })
}
