import type { Environment } from '../../engine/store/database/store.js'
import { button, choices, form, hidden, notice, selectField, textField } from '../html/form.js'
import { type Html, html } from '../html/html.js'
import type { HtmlPage, ShowPage } from '../html/page.js'
import type { AccountField, AccountSection } from './account-fields.js'

/** The form of a processing account, with the earlier input and its errors. */
export interface AccountForm {
  /** Address that it is sent to. */
  readonly action: string
  readonly environment: Environment
  readonly sections: readonly AccountSection[]
  readonly values: ReadonlyMap<string, string>
  readonly errors: ReadonlyMap<string, string>
  readonly problem: string | undefined
  /** The idempotency key. */
  readonly key: string
}

/** Maximum number of choices that are shown as radio buttons; more choices are shown as a drop-down list. */
const MAX_RADIOS = 4

const NOT_CHOSEN = { value: '', label: 'Choose one' }

/** The page on which a business sets up its processing account. */
export function accountPage(filled: AccountForm, show: ShowPage): HtmlPage {
  const { action, environment, sections, key, problem, errors } = filled
  const all = sections.flatMap(({ fields }) => fields)
  const first = all.find(({ name }) => errors.has(name))
  const isAgain = errors.size > 0
  const said = problem ?? (isAgain ? 'Nothing was saved. Check the fields that are marked.' : undefined)
  const fieldsets = sections.map(
    ({ title, fields }) => html`<fieldset class="section">
<legend>${title}</legend>
${fields.map((field) => fieldHtml(field, filled, field === first))}</fieldset>
`,
  )
  const title = 'Set up your account'
  const body = html`<h1>${title}</h1>
<p>So that payments can be taken for you, and paid out to your bank account.</p>
${environment === 'test' ? notice('note', 'This is a test: no money moves.') : undefined}${said === undefined ? undefined : notice('problem', said, first === undefined)}${form(action, undefined, hidden('key', key), fieldsets, button('Send'))}
<footer>Numbers of people, companies and accounts are stored encrypted, and are shown by their last four digits only.</footer>`
  return show({ title: said === undefined ? title : `Error: ${title}`, body })
}

function fieldHtml(field: AccountField, { values, errors }: AccountForm, hasFocus: boolean): Html {
  const { isSecret, options, ...shown } = field
  const value = isSecret ? undefined : values.get(field.name)
  const error = errors.get(field.name)
  const isAgain = isSecret && errors.size > 0 && error === undefined
  const common = {
    ...shown,
    hint: isAgain ? 'Type this again' : shown.hint,
    error,
    hasFocus,
    required: true,
    problems: { missing: options ? 'Choose one' : 'Fill this in' },
  }
  if (options === undefined) return textField({ ...common, value })
  if (options.length > MAX_RADIOS)
    return selectField({ ...common, options: [NOT_CHOSEN, ...options], chosen: value ?? '' })
  return choices({ ...common, options, chosen: value })
}

/** The page that follows when the account is set up. */
export function accountDonePage(name: string, isComplete: boolean, show: ShowPage): HtmlPage {
  const title = 'Your account is set up'
  const text = isComplete
    ? 'It is looked at now. You can close this page.'
    : 'Something is still missing: you will be asked for it.'
  return show({ title, body: html`<h1>${title}</h1>\n<p dir="auto">${name}</p>\n${notice('done', text)}` })
}
