import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type OauthRefusal, oauthRefusal } from '../../domain/access/grants/oauth-refusal.js'
import { formOf } from '../../domain/access/keys/secret.js'
import { ApiError } from '../../engine/core/request/api-error.js'
import { expectOpen } from '../api/authentication.js'
import { apiErrorOf } from '../api/send-answer.js'
import { formTokens } from '../pages/form-tokens.js'
import { seeOther, sendPage } from '../pages/send-page.js'
import { type AuthorizeRequest, authorizeRequestOf } from './authorize-request.js'
import { refusalPage } from './result-html.js'
import { showForms } from './show-forms.js'
import { takeForm } from './take-form.js'
import { addressWith, type OauthDependencies, type Visit } from './visit.js'

const HOUR = 3_600_000

/** Serves `/oauth/authorize`, the page on which a user signs in, and grants or denies access. Spec: "OAuth", Step 1. */
export function serveAuthorize(server: FastifyInstance, dependencies: OauthDependencies): void {
  const { app, clock, signUp } = dependencies
  const tokens = formTokens({ sign: app.sign, now: () => clock.now(), life: HOUR })
  const visiting =
    (answer: (visit: Visit) => Promise<FastifyReply>) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      try {
        const requested = authorizeRequestOf(request, signUp)
        const form = formOf(requested.access.client_key ?? '')
        if (form?.kind !== 'client') {
          return refuse(
            reply,
            requested,
            oauthRefusal('invalid_client', 'The client key is missing, or is not a client key'),
          )
        }
        const oauth = await expectOpen(await (await app.environment(form.environment)).oauth())
        const application = await oauth.application(requested.access)
        if (application.kind === 'application') {
          const { environment } = form
          return await answer({
            request,
            reply,
            dependencies,
            tokens,
            environment,
            oauth,
            application,
            requested,
          })
        }
        return refuse(reply, requested, application)
      } catch (error) {
        return showErrorPage(reply, error)
      }
    }
  server.get('/oauth/authorize', visiting(showForms))
  server.post('/oauth/authorize', visiting(takeForm))
}

/** Redirects to the application if the address is known to belong to it; otherwise a page shows the reason. */
function refuse(
  reply: FastifyReply,
  { state }: AuthorizeRequest,
  refusal: OauthRefusal & { readonly target?: string },
): FastifyReply {
  const { error, description, target } = refusal
  if (target !== undefined)
    return seeOther(reply, addressWith(target, { error, error_description: description, state }))
  return sendPage(reply, 400, refusalPage(description))
}

/** Shows an expected error as a page; unexpected errors are left to the server, which logs them. */
function showErrorPage(reply: FastifyReply, error: unknown): FastifyReply {
  const refusal = apiErrorOf(error)
  if (refusal.status === 500 || !(refusal instanceof ApiError)) throw error
  return sendPage(reply.headers(refusal.headers), refusal.status, refusalPage(refusal.description))
}
