import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.js'
import { ApiError, invalidAttributes } from '../../engine/core/request/api-error.js'
import type { Principal } from '../../engine/core/request/principal.js'
import type { Environment } from '../../engine/store/database/store.js'
import type { Random } from '../../platform/random.js'
import type { Language } from '../../schema/language.js'
import { refuseInMaintenance, unauthorized } from '../api/authentication.js'
import { isFromAnotherSite } from '../api/cross-origin.js'
import { payingClient, type RateLimits } from '../api/rate-limits.js'
import { apiErrorOf } from '../api/send-answer.js'
import { sendPage } from '../pages/send-page.js'
import { queryParameters } from '../pages/signed-address.js'
import { payerLanguage } from '../payer/payer-language.js'
import { troublePage } from '../payer/plain-page.js'
import type { Texts } from '../payer/texts/payer-english.js'
import { textsIn } from '../payer/texts/payer-texts.js'
import { type Host, hostedBy } from './hosted-page.js'

export interface HostedDependencies {
  readonly app: App
  readonly rates: RateLimits
  readonly random: Random
}

/** A request for a page inside of a shop's page, by a visitor who has the shop's client key. */
export interface HostedVisit {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly environment: Environment
  readonly principal: Principal
  readonly host: Host
  readonly language: Language
  /** The value of a parameter of the page's address; undefined if it is missing or empty. */
  parameter(name: string): string | undefined
  /** The address of a hosted page for the same component, relative to this page. */
  address(page: string, more?: Readonly<Record<string, string>>): string
}

/** A page inside of a shop's page. */
export interface HostedPage {
  /** Name of the page below `/components/`. */
  readonly name: string
  /** Whether the page may only be shown in a frame, not in a window of its own outside of the shop's page. */
  readonly isFramed: boolean
  /** Text for the visitor if the answer to the form is lost. */
  lostText(texts: Texts): string
  show(visit: HostedVisit): Promise<FastifyReply>
  take?(visit: HostedVisit): Promise<FastifyReply>
}

/** Parameters that belong to the component, and stay the same from page to page. */
const LASTING = ['key', 'origin', 'nonce', 'modal', 'amount', 'legal_entity_id'] as const

/** Pages that may contain the frame if the client key names no origins: any page. */
const ANY = ['*']

const NONCE = /^[\w-]{16,64}$/

/** Serves a page to any visitor with a client key. Errors are pages, too, and are reported to the shop's page. */
export function serveHosted(
  server: FastifyInstance,
  dependencies: HostedDependencies,
  { name, isFramed, lostText, show, take }: HostedPage,
): void {
  const url = `/components/${name}`
  const answering =
    (answer: (visit: HostedVisit) => Promise<FastifyReply>) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      if (isFramed && request.headers['sec-fetch-dest'] === 'document')
        throw new ApiError('Forbidden', 'This page belongs into the page of a shop')
      const parameters = new Map(queryParameters(request))
      const holder = await dependencies.app.authenticate(parameters.get('key') ?? '')
      const language = payerLanguage(request)
      const texts = textsIn(language)
      const host = { ...hostOf(parameters, holder?.principal, texts), lostText: lostText(texts) }
      try {
        if (holder?.principal.kind !== 'client') {
          dependencies.rates.countUnknown(request, reply)
          throw unauthorized('The client key is unknown, deleted or expired')
        }
        dependencies.rates.admitKey(holder, reply)
        refuseInMaintenance(holder)
        const { environment, principal } = holder
        return await answer({
          request,
          reply,
          environment,
          principal: { ...principal, ...payingClient(request) },
          host,
          language,
          parameter: (parameter) => parameters.get(parameter) || undefined,
          address: (page, more) => addressOf(page, parameters, more),
        })
      } catch (error) {
        const { status, type, description, headers } = apiErrorOf(error)
        // Unexpected errors are left to the server, which logs them.
        if (status === 500) throw error
        const payload = { message: description, error_type: type }
        const shown = hostedBy(host, { event: 'error', payload })
        return sendPage(reply.headers(headers), status, troublePage(description, language, shown))
      }
    }
  server.get(url, answering(show))
  if (take)
    server.post(
      url,
      answering(async (visit) => {
        if (isFromAnotherSite(visit.request))
          throw new ApiError('Forbidden', 'The form was not sent by a page of this service')
        return await take(visit)
      }),
    )
}

/**
 * The shop's page, from the parameters of the address. Throws `Forbidden` if the key names origins and this origin is
 * not among them, and `InvalidAttributes` for a malformed origin or nonce.
 */
function hostOf(
  parameters: ReadonlyMap<string, string>,
  principal: Pick<Principal, 'origins'> | undefined,
  texts: Texts,
): Omit<Host, 'lostText'> {
  const origin = parameters.get('origin') ?? ''
  const nonce = parameters.get('nonce') ?? ''
  if (!/^https?:\/\//.test(origin) || !URL.canParse(origin) || new URL(origin).origin !== origin)
    throw invalidAttributes({ origin: 'Must be the origin of the page' })
  if (!NONCE.test(nonce)) throw invalidAttributes({ nonce: 'Must be 16 to 64 letters or digits' })
  if (principal?.origins?.includes(origin) === false)
    throw new ApiError('Forbidden', 'The client key is not for pages of this origin')
  const closeLabel = parameters.get('modal') === '1' ? texts.close : undefined
  return { origin, nonce, ancestors: principal?.origins ?? ANY, closeLabel }
}

function addressOf(
  page: string,
  parameters: ReadonlyMap<string, string>,
  more: Readonly<Record<string, string>> = {},
): string {
  const lasting = LASTING.flatMap((name) => {
    const value = parameters.get(name)
    return value === undefined ? [] : [[name, value] as [string, string]]
  })
  return `${page}?${new URLSearchParams([...lasting, ...Object.entries(more)])}`
}
