import type { FastifyReply } from 'fastify'
import type { SignedIn, SignIn } from '../../domain/access/authorization-server.js'
import { ApiError } from '../../engine/core/request/api-error.js'
import { callerOf } from '../api/rate-limits.js'
import { TOKEN_FIELD } from '../html/form.js'
import { postedForm, visitorOf } from '../pages/form-tokens.js'
import { seeOther } from '../pages/send-page.js'
import { userCookies } from '../pages/sign-in-cookies.js'
import { STALE_FORM } from '../pages/sign-in-fields.js'
import { accountField } from './consent-html.js'
import { formName, showConsent, showSigning, signedIn } from './show-forms.js'
import { answerApplication, type Visit } from './visit.js'

type Form = ReadonlyMap<string, string>

const NO_MATCH =
  'The e-mail address or the password is wrong. After five wrong passwords in a row, wait 15 minutes.'
const NONE_CHOSEN = 'Choose at least one account'

/** Handles a posted form, by the button that was pressed. */
export async function takeForm(visit: Visit): Promise<FastifyReply> {
  const form = postedForm(visit.request)
  const who = await signedIn(visit)
  if (!visit.tokens.isGood(form.get(TOKEN_FIELD), visitorOf(visit.request), formName(who)))
    return who ? showConsent(visit, who, 403, STALE_FORM) : showSigning(visit, 403, { problem: STALE_FORM })
  switch (form.get('do')) {
    case 'deny':
      return answerApplication(visit, { error: 'access_denied', error_description: 'Access was denied' })
    case 'sign_out':
      userCookies.setSession(visit.request, visit.reply, visit.environment, '')
      return seeOther(visit.reply, visit.requested.signInHere)
    case 'allow':
      return who ? await grant(visit, who, form) : showSigning(visit, 200)
    default:
      return visit.requested.isSignUp ? await signUp(visit, form) : await signIn(visit, form)
  }
}

async function signIn(visit: Visit, form: Form): Promise<FastifyReply> {
  const { oauth, dependencies, request, reply } = visit
  dependencies.rates.admitSigning('sign-in', request, reply)
  const email = form.get('email') ?? ''
  const signedIn = await oauth.signIn({
    email,
    password: form.get('password') ?? '',
    address: callerOf(request.ip),
    knownBrowser: userCookies.known(request, visit.environment),
  })
  if (signedIn !== undefined) return begin(visit, signedIn)
  return showSigning(visit, 400, { values: { email }, problem: NO_MATCH })
}

async function signUp(visit: Visit, form: Form): Promise<FastifyReply> {
  visit.dependencies.rates.admitSigning('sign-up', visit.request, visit.reply)
  const input = {
    business: form.get('business'),
    industry: form.get('industry'),
    name: form.get('name') || undefined,
    email: form.get('email'),
    password: form.get('password'),
  }
  try {
    return begin(visit, await visit.oauth.signUp(input))
  } catch (error) {
    if (!(error instanceof ApiError) || error.type !== 'InvalidAttributes') throw error
    const errors = Object.entries(error.details).map(([name, message]) => [name, String(message)] as const)
    const { password: _, ...values } = input
    return showSigning(visit, 400, { values, errors: Object.fromEntries(errors) })
  }
}

/** Begins the session and redirects to the page, which then shows the grant. */
function begin(
  { request, reply, environment, requested }: Visit,
  { session, knownBrowser }: SignIn,
): FastifyReply {
  userCookies.setSession(request, reply, environment, session)
  userCookies.setKnown(request, reply, environment, knownBrowser)
  return seeOther(reply, requested.signInHere)
}

async function grant(visit: Visit, who: SignedIn, form: Form): Promise<FastifyReply> {
  const { application, oauth } = visit
  const ticked = who.accounts.map(({ id }) => id).filter((id) => form.has(accountField(id)))
  if (application.scope === 'processing' && ticked.length === 0)
    return showConsent(visit, who, 400, NONE_CHOSEN)
  return answerApplication(visit, { code: await oauth.grant(application, who, ticked) })
}
