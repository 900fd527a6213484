import type { FastifyReply } from 'fastify'
import type { SignedInOperator } from '../../../domain/access/operators/console-access.js'
import type { Environment } from '../../../engine/store/database/store.js'
import { button, form, notice } from '../../html/form.js'
import { type Html, html } from '../../html/html.js'
import { seeOther, sendPage } from '../../pages/send-page.js'
import { passwordField } from '../../pages/sign-in-fields.js'
import { consoleDocument } from '../document/document.js'
import { type AccessPage, type AccessVisit, missingProof } from './access-visit.js'
import { entryCommandsHtml } from './enter-html.js'
import { accessAddress, goalOf } from './goal.js'
import { codeField, type SignInForm, usernameField } from './sign-in-form.js'

const WRONG =
  'That is wrong, or the code was used before. After five wrong attempts in a row, wait 15 minutes.'

/** Requires the password again, or a code of the second factor, and leads back to the form that needs it. */
export const confirmPage: AccessPage = {
  async get(visit) {
    const { request, reply, environment } = visit
    const operator = await admitted(visit)
    if (!operator) return leave(visit)
    if (operator.session.isConfirmed) return seeOther(reply, goalOf(request, environment))
    return show(visit, operator, 200)
  },
  async post(visit) {
    const { request, reply, environment, access } = visit
    const { rates, cookies } = access
    const operator = await admitted(visit)
    if (!operator) return leave(visit)
    const form = access.sessionForm(request, environment)
    rates.admitSigning('sign-in', request, reply)
    const operators = await access.operators(environment)
    const proof = { password: form.get('password') ?? '', code: form.get('code') ?? '' }
    const session = await operators.confirm(cookies.session(request, environment), proof)
    if (session === undefined) return show(visit, operator, 400, WRONG)
    cookies.setSession(request, reply, environment, session)
    return seeOther(reply, goalOf(request, environment))
  },
}

async function admitted({
  request,
  environment,
  access,
}: AccessVisit): Promise<SignedInOperator | undefined> {
  const operator = await access.signedIn(request, environment)
  return operator && missingProof(operator, access.isStrict(environment)) === undefined ? operator : undefined
}

function leave({ request, reply, environment }: AccessVisit): FastifyReply {
  return seeOther(reply, accessAddress(environment, 'sign-in', goalOf(request, environment)))
}

function show(
  { request, reply, environment, access }: AccessVisit,
  { hasSecondFactor, email }: SignedInOperator,
  status: number,
  problem?: string,
): FastifyReply {
  const here = accessAddress(environment, 'confirm', goalOf(request, environment))
  const token = access.sessionToken(request, environment)
  const body = confirmHtml({ here, token, problem, email, hasSecondFactor, environment })
  return sendPage(reply, status, consoleDocument({ title: 'Is it you?', environment, body }))
}

/** The page that requires a proof again before a dangerous change. */
function confirmHtml({
  here,
  token,
  problem,
  email = '',
  hasSecondFactor,
  environment,
}: SignInForm & { readonly hasSecondFactor: boolean; readonly environment: Environment }): Html {
  const field = hasSecondFactor
    ? codeField('Of your app, as it shows now', undefined, true)
    : passwordField(true)
  return html`<h1>Is it you?</h1>
<p>Changes of keys, gateways, operators and bank accounts, and refunds in live, require a proof of the last ten minutes.</p>
${problem === undefined ? undefined : notice('problem', problem)}
${form(here, token, usernameField(email), field, button('Go on'))}
<p class="faint">Neither at hand? Enter again by the terminal of the server, and set others: ${entryCommandsHtml(environment)}</p>
`
}
