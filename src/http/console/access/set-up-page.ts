import type { FastifyReply } from 'fastify'
import type { SignedInOperator } from '../../../domain/access/operators/console-access.js'
import { seeOther, sendPage } from '../../pages/send-page.js'
import { consoleAddress } from '../console-page.js'
import { consoleDocument } from '../document/document.js'
import type { AccessPage, AccessVisit } from './access-visit.js'
import { accessAddress, goalOf } from './goal.js'
import { clientOf } from './session-client.js'
import { setUpHtml } from './set-up-html.js'

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
