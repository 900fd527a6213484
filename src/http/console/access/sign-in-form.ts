import type { Environment } from '../../../engine/store/database/store.js'
import { button, form, notice, textField } from '../../html/form.js'
import { type Html, html } from '../../html/html.js'
import { pageAddress } from '../../html/page-address.js'
import { credentialFields } from '../../pages/sign-in-fields.js'
import { commandHtml, entryCommandsHtml } from './enter-html.js'

export interface SignInForm {
  /** The address that the form is sent to. */
  readonly here: string
  readonly token: string
  readonly problem?: string | undefined
  /** The e-mail address in the form that was sent. */
  readonly email?: string | undefined
  /**
   * Page to continue to. It is for operators who are signed in but came from another site, so that no cookie was sent.
   */
  readonly goOn?: string | undefined
}

export function signInHtml({
  here,
  token,
  problem,
  email,
  goOn,
  environment,
}: SignInForm & { readonly environment: Environment }): Html {
  return html`<h1>Sign in</h1>
${goOn === undefined ? undefined : html`<p><a href="${pageAddress(goOn)}">Go on if you are signed in already</a></p>`}
${problem === undefined ? undefined : notice('problem', problem)}
${form(
  here,
  token,
  credentialFields(email, problem !== undefined),
  codeField('Of your app, if you have set a second factor'),
  button('Sign in'),
)}
<p class="faint">No password yet, or no second factor at hand? Enter by the terminal of the server: ${entryCommandsHtml(environment)}</p>
`
}

/** The page for everybody while an environment has no operator: nobody can sign in. */
export function noOperatorHtml(environment: Environment): Html {
  return html`<h1>Nobody can sign in yet</h1>
<p>The ${environment} environment has no operator. Become the first one, as owner, at the terminal of the server: ${commandHtml('payctl console', environment)}</p>
`
}

/** A hidden field with the e-mail address, so that browsers store it with the password. */
export function usernameField(email: string): Html {
  return html`<input class="unseen" name="username" autocomplete="username" value="${email}" readonly tabindex="-1" aria-label="E-mail address">`
}

/** The field for a one-time code. */
export function codeField(hint: string, error?: string, hasFocus = false): Html {
  return textField({
    name: 'code',
    label: 'Six-digit code',
    hint,
    error,
    hasFocus,
    inputmode: 'numeric',
    autocomplete: 'one-time-code',
    maxlength: 10,
  })
}
