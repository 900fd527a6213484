import { button, type FormTextField, fileForm, form, hidden, notice, textField } from '../../html/form.js'
import { type Html, html, type Insert } from '../../html/html.js'
import { pageAddress } from '../../html/page-address.js'
import { cardHtml, factsHtml, type ShownFact } from '../elements/facts.js'
import { type FilledWrite, fieldsHtml, type WriteField } from './write-fields.js'

/** Names of the fields that every write has besides its own. */
export const WRITE = {
  step: 'write.step',
  key: 'write.key',
  version: 'write.version',
  state: 'write.state',
  typed: 'write.typed',
} as const

/** Content that the form and the preview of a write share. */
export interface WriteHead {
  readonly heading: string
  readonly summary: string
  readonly facts: readonly ShownFact[]
  /** Address of the page. */
  readonly action: string
  readonly token: string
  readonly state: string
  readonly back: { readonly label: string; readonly address: string }
  /** Reason why the last attempt failed. */
  readonly problem?: string | undefined
}

/** The button of a form that is sent without a preview, and the idempotency key that the form sends. */
export interface DirectStep {
  readonly label: string
  readonly key: string
}

/** The first step, a form; the only step if the form is sent without a preview. */
export function writeFormHtml(head: WriteHead, filled: FilledWrite, direct?: DirectStep): Html {
  return html`${headHtml(head)}${form(
    head.action,
    head.token,
    hidden(WRITE.state, head.state),
    hidden(WRITE.step, direct ? 'do' : 'preview'),
    direct && hidden(WRITE.key, direct.key),
    fieldsHtml(filled),
    buttonsHtml(head, button(direct?.label ?? 'Continue')),
  )}
`
}

export interface PreviewParts {
  readonly label: string
  readonly facts: readonly ShownFact[]
  readonly key: string
  readonly version: string
  readonly values: ReadonlyMap<string, string>
  /** Whether there is a form to return to. */
  readonly hasForm: boolean
  /** Fields that are filled in on this page, such as those for files. */
  readonly attached: readonly WriteField[]
  /** The field for typing the amount again, if the live environment requires that. */
  readonly typed?: FormTextField | undefined
}

/** The second step: the exact effect, before it happens. */
export function writePreviewHtml(head: WriteHead, parts: PreviewParts): Html {
  const { label, facts, key, version, values, hasForm, attached, typed } = parts
  const sent = attached.some(({ kind }) => kind === 'file') ? fileForm : form
  const change = hasForm ? button('Change', { name: WRITE.step, value: 'change', quiet: true }) : undefined
  return html`${headHtml(head)}${cardHtml('What will happen', factsHtml(facts))}${sent(
    head.action,
    head.token,
    hidden(WRITE.state, head.state),
    hidden(WRITE.key, key),
    hidden(WRITE.version, version),
    [...values].map(([name, value]) => hidden(name, value)),
    fieldsHtml({ fields: attached, values: new Map(), errors: new Map() }),
    typed && textField(typed),
    buttonsHtml(head, button(label, { name: WRITE.step, value: 'do' }), change),
  )}
`
}

/** The page of a write that the state of its object does not allow. */
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

/** The answer to a write that no other page shows. */
export interface WriteDone {
  readonly heading: string
  /** A secret that is shown only once. */
  readonly secret?: string | undefined
  readonly facts: readonly ShownFact[]
  readonly next: { readonly label: string; readonly address: string }
}

/** The last step, if it is a page of its own. */
export function writeDoneHtml({ heading, secret, facts, next }: WriteDone): Html {
  const text = secret === undefined ? 'Done.' : 'Done. Copy it now: it is not shown again.'
  return html`<h1>${heading}</h1>
${notice('done', text)}${
  secret &&
  html`<pre class="secret"><code data-copy="">${secret}</code></pre>
`
}${facts.length === 0 ? undefined : factsHtml(facts)}<p><a class="button" href="${pageAddress(next.address)}">${next.label}</a></p>
`
}
