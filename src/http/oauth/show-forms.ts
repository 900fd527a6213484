import type { FastifyReply } from 'fastify'
import type { SignedIn } from '../../domain/access/authorization-server.js'
import { ensureVisitor } from '../pages/form-tokens.js'
import { sendPage } from '../pages/send-page.js'
import { userCookies } from '../pages/sign-in-cookies.js'
import { consentPage } from './consent-html.js'
import { type FilledSignIn, type FormPage, signInPage, signUpPage } from './sign-in-html.js'
import type { Visit } from './visit.js'

/** Shows the next form: to sign in or up, or to grant access. */
export async function showForms(visit: Visit): Promise<FastifyReply> {
  const who = await signedIn(visit)
  return who ? showConsent(visit, who, 200) : showSigning(visit, 200)
}

export async function signedIn({ request, oauth, environment }: Visit): Promise<SignedIn | undefined> {
  const session = userCookies.session(request, environment)
  return session === '' ? undefined : await oauth.signedIn(session)
}

/** Shows the form to sign in, or up if that was requested; `filled` holds the earlier input with its errors. */
export function showSigning(visit: Visit, status: number, filled: FilledSignIn = {}): FastifyReply {
  const page = pageOf(visit, undefined)
  const { authOnly, isSignUp, signInHere, signUpHere } = visit.requested
  const html = isSignUp
    ? signUpPage({ ...page, other: signInHere }, filled)
    : signInPage({ ...page, other: authOnly ? undefined : signUpHere }, filled)
  return sendPage(visit.reply, status, html)
}

export function showConsent(visit: Visit, who: SignedIn, status: number, problem?: string): FastifyReply {
  const { email, orgName, accounts } = who
  const { scope, target } = visit.application
  const page = consentPage({ ...pageOf(visit, who), email, orgName, accounts, scope, target, problem })
  return sendPage(visit.reply, status, page)
}

/** Name of a form, which also binds the form's token to the signed-in user. */
export function formName(who: SignedIn | undefined): string {
  return `oauth ${who?.userId ?? ''}`
}

function pageOf(
  { request, reply, dependencies, tokens, application, requested, environment }: Visit,
  who: SignedIn | undefined,
): FormPage {
  const visitor = ensureVisitor(request, reply, dependencies.random)
  return {
    here: requested.here,
    host: request.host,
    environment,
    token: tokens.make(visitor, formName(who)),
    application: application.name,
    isPopUp: application.isPopUp,
    formTargets: application.isPopUp ? [] : [formTarget(application.target)],
  }
}

/**
 * The origin that the form redirects to, for the page's content security policy. A policy cannot name an IPv6 address,
 * so `http:` is returned for an IPv6 address.
 */
function formTarget(target: string): string {
  const { origin, hostname } = new URL(target)
  return hostname.startsWith('[') ? 'http:' : origin
}
