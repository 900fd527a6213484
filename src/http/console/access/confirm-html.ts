import type { Environment } from '../../../engine/store/database/store.js'
import { button, form, notice, textField } from '../../html/form.js'
import { type Html, html } from '../../html/html.js'
import { entryCommandsHtml } from './enter-html.js'
import { codeField, type SignInForm, usernameField } from './sign-in-form.js'

/** The page that requires a proof again before a dangerous change. */
export function confirmHtml({
  here,
  token,
  problem,
  email = '',
  hasSecondFactor,
  environment,
}: SignInForm & { readonly hasSecondFactor: boolean; readonly environment: Environment }): Html {
  const field = hasSecondFactor
    ? codeField('Of your app, as it shows now', undefined, true)
    : textField({
        name: 'password',
        label: 'Password',
        type: 'password',
        autocomplete: 'current-password',
        hasFocus: true,
      })
  return html`<h1>Is it you?</h1>
<p>Changes of keys, gateways, operators and bank accounts, and refunds in live, require a proof of the last ten minutes.</p>
${problem === undefined ? undefined : notice('problem', problem)}
${form(here, token, usernameField(email), field, button('Go on'))}
<p class="faint">Neither at hand? Enter again by the terminal of the server, and set others: ${entryCommandsHtml(environment)}</p>
`
}
