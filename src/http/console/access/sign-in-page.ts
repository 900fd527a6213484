import type { FastifyReply } from 'fastify'
import { TOKEN_FIELD } from '../../html/form.js'
import { ensureVisitor, visitorOf } from '../../pages/form-tokens.js'
import { seeOther, sendPage } from '../../pages/send-page.js'
import { STALE_FORM } from '../../pages/sign-in-fields.js'
import { consoleDocument } from '../document/document.js'
import { commandOf } from '../lists/elsewhere-of.js'
import { type AccessVisit, missingProof } from './access-visit.js'
import { accessAddress, goalOf } from './goal.js'
import { ownForm } from './own-form.js'
import { clientOf } from './session-client.js'
import { noOperatorHtml, signInHtml } from './sign-in-form.js'

/** Name of the form, part of its token. */
const FORM = 'console sign-in'

const NO_MATCH =
  'The e-mail address, the password or the code is wrong, or the code was used before. After five wrong attempts in a row, wait 15 minutes.'

/** Shows the form, or redirects an operator who is already signed in. */
export async function showSignIn(visit: AccessVisit): Promise<FastifyReply> {
  const { request, reply, environment, access } = visit
  const operator = await access.signedIn(request, environment)
  if (operator && missingProof(operator, access.isStrict(environment)) === undefined)
    return seeOther(reply, goalOf(request, environment))
  const operators = await access.operators(environment)
  if (!(await operators.hasOperators())) {
    const body = noOperatorHtml(environment)
    return sendPage(reply, 200, consoleDocument({ title: 'Sign in', environment, body }))
  }
  return showForm(visit, 200)
}

export async function takeSignIn(visit: AccessVisit): Promise<FastifyReply> {
  const { request, reply, environment, access } = visit
  const { rates, cookies, tokens } = access
  const form = ownForm(request)
  const email = form.get('email') ?? ''
  if (!tokens.isGood(form.get(TOKEN_FIELD), visitorOf(request), FORM))
    return showForm(visit, 403, STALE_FORM, email)
  rates.admitSigning('sign-in', request, reply)
  const operators = await access.operators(environment)
  const attempt = {
    ...clientOf(request, cookies, environment),
    email,
    password: form.get('password') ?? '',
    code: form.get('code') ?? '',
    knownBrowser: cookies.known(request, environment),
  }
  const outcome = await operators.signIn(attempt, access.isStrict(environment))
  switch (outcome.kind) {
    case 'refused':
      return showForm(visit, 400, NO_MATCH, email)
    case 'needs_second_factor':
      return showForm(
        visit,
        403,
        `Signing in here requires a second factor, and you have none yet. Enter by the address that this command prints, and set one: ${commandOf(environment, ['console', '--as', email])}`,
        email,
      )
    case 'signed_in':
      cookies.setSession(request, reply, environment, outcome.session)
      cookies.setKnown(request, reply, environment, outcome.knownBrowser)
      return seeOther(reply, goalOf(request, environment))
  }
}

/** Ends the session and removes it from the cookie. */
export async function signOut({ request, reply, environment, access }: AccessVisit): Promise<FastifyReply> {
  const { cookies } = access
  const session = cookies.session(request, environment)
  if (session !== '') {
    access.sessionForm(request, environment)
    const operators = await access.operators(environment)
    await operators.signOut(session)
    cookies.setSession(request, reply, environment, '')
  }
  return seeOther(reply, accessAddress(environment, 'sign-in', goalOf(request, environment)))
}

function showForm(
  { request, reply, environment, access }: AccessVisit,
  status: number,
  problem?: string,
  email?: string,
): FastifyReply {
  const token = access.tokens.make(ensureVisitor(request, reply, access.random), FORM)
  const here = accessAddress(environment, 'sign-in', goalOf(request, environment))
  // A browser that follows a link from another site does not send the cookie; for a link on this page, the browser
  // sends it.
  const isFromElsewhere = request.headers['sec-fetch-site'] === 'cross-site'
  const goOn = isFromElsewhere ? goalOf(request, environment) : undefined
  const body = signInHtml({ here, token, problem, email, goOn, environment })
  return sendPage(reply, status, consoleDocument({ title: 'Sign in', environment, body }))
}
