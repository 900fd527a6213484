import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.js'
import type { AuthorizationServer } from '../../domain/access/authorization-server.js'
import type { Application } from '../../domain/access/grants/application.js'
import type { Environment } from '../../engine/store/database/store.js'
import type { Clock } from '../../platform/clock.js'
import type { Random } from '../../platform/random.js'
import type { Limits } from '../api/http-limits.js'
import type { RateLimits } from '../api/rate-limits.js'
import type { FormTokens } from '../pages/form-tokens.js'
import { seeOther, sendPage } from '../pages/send-page.js'
import type { AuthorizeRequest } from './authorize-request.js'
import { resultPage } from './result-html.js'

/** Dependencies of the pages and endpoints of OAuth. */
export interface OauthDependencies {
  readonly app: App
  readonly limits: Limits
  readonly rates: RateLimits
  /** Whether new users may sign up on the page. */
  readonly signUp: boolean
  readonly random: Random
  readonly clock: Clock
}

/** A request for the page, after the application and its address for the outcome were checked. */
export interface Visit {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly dependencies: OauthDependencies
  readonly tokens: FormTokens
  readonly environment: Environment
  readonly oauth: AuthorizationServer
  readonly application: Application
  readonly requested: AuthorizeRequest
}

/** Sends the outcome to the application: by a redirect, or through the window that opened this window. */
export function answerApplication(
  { reply, application, requested: { state } }: Visit,
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
