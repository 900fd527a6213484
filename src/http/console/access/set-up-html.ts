import { button, form, textField } from '../../html/form.js'
import { type Html, html } from '../../html/html.js'
import { pageAddress } from '../../html/page-address.js'
import { qrCodeHtml } from '../../html/qr-code-html.js'
import { codeField, usernameField } from './sign-in-form.js'

interface SetUpForm {
  readonly here: string
  readonly token: string
  readonly email: string
  /** The key of one-time codes, in base32, and as an address for apps. */
  readonly offered: { readonly key: string; readonly address: string }
  readonly needsCode: boolean
  readonly errors: { readonly password?: string; readonly code?: string }
}

/** The page on which an operator chooses a password and sets up a second factor. */
export function setUpHtml({ here, token, email, offered, needsCode, errors }: SetUpForm): Html {
  const { key, address } = offered
  const hint = needsCode
    ? 'That the app shows for it'
    : 'That the app shows for it; leave it empty for a password only'
  return html`<h1>Password and second factor</h1>
<p>For <strong>${email}</strong>. All your other sessions end when you set them.</p>
${form(
  here,
  token,
  usernameField(email),
  textField({
    name: 'password',
    label: 'New password',
    type: 'password',
    hint: 'At least 10 characters; a sentence is fine',
    autocomplete: 'new-password',
    error: errors.password,
    hasFocus: errors.code === undefined,
  }),
  html`<div class="field">
<p>Scan this code with an app for one-time codes, or <a href="${pageAddress(address)}">open it in the app</a> on this device:</p>
${qrCodeHtml(address, 'QR code of the key')}
<p>Without a camera, type the key:</p>
<p><code>${key.replace(/(.{4})(?=.)/g, '$1 ')}</code></p>
</div>
`,
  codeField(hint, errors.code, errors.code !== undefined),
  button('Set them'),
)}`
}
