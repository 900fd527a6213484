import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AuthorizationServer } from '../../domain/access/authorization-server.js'
import type { Application } from '../../domain/access/grants/application.js'
import type { Environment } from '../../engine/core/write/work.js'
import { seeOther, sendPage } from '../pages/send-page.js'
import type { FormTokens } from '../views/form-token.js'
import { resultPage } from '../views/oauth/result-html.js'
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
