import { button, checkbox, form, notice } from '../html/form.js'
import { type Html, html } from '../html/html.js'
import type { HtmlPage } from '../html/page.js'
import { type FormPage, formPage } from './sign-in-html.js'

/** The user who grants access, and the access. */
interface Consent extends FormPage {
  readonly email: string
  readonly orgName: string
  readonly scope: 'org' | 'processing'
  readonly accounts: readonly { readonly id: string; readonly name: string }[]
  readonly problem: string | undefined
  /** Address that receives the outcome; shown because, unlike the name, it cannot be faked. */
  readonly target: string
}

/** The name of the check box of a processing account. */
export function accountField(id: string): string {
  return `account:${id}`
}

/** Lists the access that an application requests; the user grants or denies it. */
export function consentPage(consent: Consent): HtmlPage {
  const { application, email, orgName, here, token, problem } = consent
  return formPage(consent, `Give ${application} access`, [
    html`<h1>Give ${application} access?</h1>
<p class="faint">Signed in as ${email} of ${orgName}.</p>`,
    problem === undefined ? undefined : notice('problem', problem),
    html`<p>It could take, see and refund payments, see and change customers, invoices and the accounts themselves, until access is revoked. It could not see your password.</p>`,
    form(
      here,
      token,
      accountsOf(consent),
      canGrant(consent) ? button('Allow', { name: 'do', value: 'allow' }) : undefined,
      button('Deny', { name: 'do', value: 'deny', quiet: true }),
    ),
    html`<footer>What you allow is sent to ${consent.target}. Not ${email}?
${form(here, token, button('Sign in as somebody else', { name: 'do', value: 'sign_out', quiet: true }))}</footer>`,
  ])
}

/** Whether there is access to grant: an account, or an organization with all its future accounts. */
function canGrant({ scope, accounts }: Consent): boolean {
  return scope === 'org' || accounts.length > 0
}

function accountsOf(consent: Consent): Html {
  const { scope, accounts, orgName } = consent
  if (!canGrant(consent)) return notice('note', `${orgName} has no processing account yet.`)
  if (scope === 'processing') {
    const boxes = accounts.map(({ id, name }) =>
      checkbox(accountField(id), { value: '1', label: name, hint: id }, accounts.length === 1),
    )
    return html`<fieldset>
<legend>Accounts to give access to</legend>
${boxes}</fieldset>
`
  }
  return html`<div class="field">
<h2>All processing accounts of ${orgName}</h2>
<p class="hint">Also those that are added later.</p>
${
  accounts.length === 0
    ? undefined
    : html`<ul>
${accounts.map(({ id, name }) => html`<li>${name} <span class="faint">${id}</span></li>\n`)}</ul>`
}
</div>
`
}
