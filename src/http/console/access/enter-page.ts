import type { FastifyReply, FastifyRequest, RouteGenericInterface } from 'fastify'
import { formOf } from '../../../domain/access/keys/secret.js'
import type { Environment } from '../../../engine/store/database/store.js'
import { TOKEN_FIELD } from '../../html/form.js'
import { ensureVisitor, visitorOf } from '../../pages/form-tokens.js'
import { seeOther, sendPage } from '../../pages/send-page.js'
import { consoleDocument } from '../document/document.js'
import type { Access } from './access-visit.js'
import { enterHtml, unusableEntryHtml } from './enter-html.js'
import { goalOf } from './goal.js'
import { ownForm } from './own-form.js'
import { clientOf } from './session-client.js'

interface EntryRoute extends RouteGenericInterface {
  readonly Params: { readonly code: string }
}

/** Name of the form, part of its token. */
const FORM = 'console entry'

type EntryHandler = (request: FastifyRequest<EntryRoute>, reply: FastifyReply) => Promise<FastifyReply>

/** Shows only a button, so that programs that preview or scan the address do not use up the code. */
export function showEntry(access: Access): EntryHandler {
  return async (request, reply) => {
    access.expectHere(request)
    const form = formOf(request.params.code)
    if (form?.kind !== 'entry') return showUnusable(reply, 'unknown')
    const token = access.tokens.make(ensureVisitor(request, reply, access.random), FORM)
    const body = enterHtml({ here: request.url, token, isStale: false })
    return sendPage(reply, 200, consoleDocument({ title: 'Enter', environment: form.environment, body }))
  }
}

/** Uses the code up and begins a session. */
export function takeEntry(access: Access): EntryHandler {
  const { rates, cookies, tokens, random } = access
  return async (request, reply) => {
    access.expectHere(request)
    const { code } = request.params
    const entry = formOf(code)
    if (entry?.kind !== 'entry') return showUnusable(reply, 'unknown')
    const { environment } = entry
    if (!tokens.isGood(ownForm(request).get(TOKEN_FIELD), visitorOf(request), FORM)) {
      const token = tokens.make(ensureVisitor(request, reply, random), FORM)
      const body = enterHtml({ here: request.url, token, isStale: true })
      return sendPage(reply, 403, consoleDocument({ title: 'Enter', environment, body }))
    }
    rates.admitSigning('sign-in', request, reply)
    const operators = await access.operators(environment)
    const entered = await operators.enter(code, clientOf(request, cookies, environment))
    if (entered.kind !== 'entered') return showUnusable(reply, entered.kind, environment)
    cookies.setSession(request, reply, environment, entered.session)
    return seeOther(reply, goalOf(request, environment))
  }
}

function showUnusable(
  reply: FastifyReply,
  kind: 'used' | 'unknown',
  environment?: Environment,
): FastifyReply {
  const body = unusableEntryHtml(kind, environment)
  return sendPage(reply, 404, consoleDocument({ title: 'Enter', ...(environment && { environment }), body }))
}
