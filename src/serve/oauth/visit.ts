import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '../../core/work.js'
import type { AuthorizationServer } from '../../oauth/authorization-server.js'
import type { Application } from '../../oauth/grants/application.js'
import type { FormTokens } from '../../pages/form-token.js'
import { resultPage } from '../../pages/oauth/result-html.js'
import { seeOther, sendPage } from '../pages/send-page.js'
import type { AskedPage } from './asked.js'
import type { OauthParts } from './parts.js'

/** Everything that a visit to the page is about, once it is known that the application may be answered. */
export interface Visit {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly parts: OauthParts
  readonly tokens: FormTokens
  readonly environment: Environment
  readonly oauth: AuthorizationServer
  readonly application: Application
  readonly asked: AskedPage
}

/** Sends the outcome to the application: by its address, or through the window that opened this one. */
export function answerApplication(
  { reply, application, asked: { state } }: Visit,
  outcome: Readonly<Record<string, string>>,
): FastifyReply {
  if (!application.isPopUp) return seeOther(reply, addressWith(application.target, { ...outcome, state }))
  return sendPage(
    reply,
    200,
    resultPage(application.target, { ...outcome, ...(state !== undefined && { state }) }),
  )
}

export function addressWith(target: string, values: Readonly<Record<string, string | undefined>>): string {
  const address = new URL(target)
  for (const [name, value] of Object.entries(values))
    if (value !== undefined) address.searchParams.set(name, value)
  return address.href
}
