import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type OauthRefusal, refused } from '../../domain/access/grants/refusal.js'
import { formOf } from '../../domain/access/keys/secret.js'
import { ApiError } from '../../engine/core/request/errors.js'
import { apiErrorOf } from '../api/wire/errors.js'
import { seeOther, sendPage } from '../pages/send-page.js'
import { formTokens } from '../views/form-token.js'
import { refusalPage } from '../views/oauth/result-html.js'
import { type AskedPage, askedOf } from './asked.js'
import { expectOpen } from './maintenance.js'
import type { OauthParts } from './parts.js'
import { showForms } from './show-forms.js'
import { takeForm } from './take-form.js'
import { addressWith, type Visit } from './visit.js'

const HOUR = 3_600_000

/** `/oauth/authorize`: the page that a user signs in on, and grants or denies access. */
export function serveAuthorize(server: FastifyInstance, parts: OauthParts): void {
  const { app, clock } = parts
  const tokens = formTokens({ sign: app.sign, now: () => clock.now(), life: HOUR })
  const visiting =
    (answer: (visit: Visit) => Promise<FastifyReply>) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      try {
        const asked = askedOf(request)
        const form = formOf(asked.access.client_key ?? '')
        if (form?.kind !== 'client') {
          parts.rates.countUnknown(request)
          return refuse(reply, asked, refused('invalid_client', 'The client key is missing or no client key'))
        }
        const oauth = await expectOpen(await app.oauth(form.environment))
        const application = await oauth.application(asked.access)
        if (application.kind === 'application') {
          const { environment } = form
          return await answer({ request, reply, parts, tokens, environment, oauth, application, asked })
        }
        if (application.error === 'invalid_client') parts.rates.countUnknown(request)
        return refuse(reply, asked, application)
      } catch (error) {
        return refuseUnserved(reply, error)
      }
    }
  server.get('/oauth/authorize', visiting(showForms))
  server.post('/oauth/authorize', visiting(takeForm))
}

/** Tells the application where its address is known to be its own, else the person in front of the page. */
function refuse(
  reply: FastifyReply,
  { state }: AskedPage,
  refusal: OauthRefusal & { readonly target?: string },
): FastifyReply {
  const { error, description, target } = refusal
  if (target !== undefined)
    return seeOther(reply, addressWith(target, { error, error_description: description, state }))
  return sendPage(reply, 400, refusalPage(description))
}

/** What cannot be answered now, as a page; what went wrong here is told by the server, in its log too. */
function refuseUnserved(reply: FastifyReply, error: unknown): FastifyReply {
  const refusal = apiErrorOf(error)
  if (refusal.status === 500 || !(refusal instanceof ApiError)) throw error
  return sendPage(reply.headers(refusal.headers), refusal.status, refusalPage(refusal.description))
}
