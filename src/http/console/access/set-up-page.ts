import type { FastifyReply } from 'fastify'
import type { SignedInOperator } from '../../../domain/access/operators/console-access.js'
import { button, form, textField } from '../../html/form.js'
import { type Html, html } from '../../html/html.js'
import { pageAddress } from '../../html/page-address.js'
import { qrCodeHtml } from '../../html/qr-code-html.js'
import { seeOther, sendPage } from '../../pages/send-page.js'
import { NEW_PASSWORD } from '../../pages/sign-in-fields.js'
import { consoleAddress } from '../console-page.js'
import { consoleDocument } from '../document/document.js'
import type { AccessPage, AccessVisit } from './access-visit.js'
import { accessAddress, goalOf } from './goal.js'
import { clientOf } from './session-client.js'
import { codeField, usernameField } from './sign-in-form.js'

/** Sets the operator's password and second factor, after an entry by a code or a recent proof. */
export const setUpPage: AccessPage = {
  async get(visit) {
    const operator = await visit.access.signedIn(visit.request, visit.environment)
    return operator?.session.isConfirmed ? await show(visit, operator, 200) : leave(visit, operator)
  },
  async post(visit) {
    const { request, reply, environment, access } = visit
    const { cookies } = access
    const operator = await access.signedIn(request, environment)
    if (!operator) return leave(visit, operator)
    const form = access.sessionForm(request, environment)
    const operators = await access.operators(environment)
    const { browser, address } = clientOf(request, cookies, environment)
    const outcome = await operators.setUp(
      cookies.session(request, environment),
      { password: form.get('password') ?? '', code: form.get('code') ?? '', browser, address },
      access.isStrict(environment),
    )
    switch (outcome.kind) {
      case 'refused':
        return leave(visit, operator)
      case 'short_password':
        return await show(visit, operator, 400, { password: 'Must have at least 10 characters' })
      case 'wrong_code':
        return await show(visit, operator, 400, { code: 'Wrong: type the one that the app shows now' })
      case 'set_up':
        cookies.setSession(request, reply, environment, outcome.session)
        return seeOther(reply, goalOf(request, environment))
    }
  },
}

/** Redirects to the page on which the operator gives the missing proof. */
function leave(
  { request, reply, environment }: AccessVisit,
  operator: SignedInOperator | undefined,
): FastifyReply {
  if (!operator) return seeOther(reply, accessAddress(environment, 'sign-in', goalOf(request, environment)))
  return seeOther(reply, accessAddress(environment, 'confirm', consoleAddress(environment, ['set-up'])))
}

async function show(
  { request, reply, environment, access }: AccessVisit,
  { email }: SignedInOperator,
  status: number,
  errors: { readonly password?: string; readonly code?: string } = {},
): Promise<FastifyReply> {
  const operators = await access.operators(environment)
  const offered = await operators.offeredKey(access.cookies.session(request, environment), email)
  const body = setUpHtml({
    here: accessAddress(environment, 'set-up', goalOf(request, environment)),
    token: access.sessionToken(request, environment),
    email,
    offered,
    needsCode: access.isStrict(environment),
    errors,
  })
  return sendPage(reply, status, consoleDocument({ title: 'Password and second factor', environment, body }))
}

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
function setUpHtml({ here, token, email, offered, needsCode, errors }: SetUpForm): Html {
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
    ...NEW_PASSWORD,
    label: 'New password',
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
