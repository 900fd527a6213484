import type { FastifyInstance } from 'fastify'
import type { App } from '../../app.js'
import { ApiError } from '../../engine/core/request/api-error.js'
import type { Principal } from '../../engine/core/request/principal.js'
import type { Environment } from '../../engine/store/database/store.js'
import { unauthorized } from '../api/authentication.js'
import type { RateLimits } from '../api/rate-limits.js'
import { apiErrorOf } from '../api/send-answer.js'
import { sendPage } from '../pages/send-page.js'
import { queryParameters } from '../pages/signed-address.js'
import { payerLanguage } from '../payer/payer-language.js'
import { missingPage, troublePage } from '../payer/plain-page.js'
import { controllerFrame, fieldFrame, type ShownEntries } from './field-html.js'

export interface FieldsDependencies {
  readonly app: App
  readonly rates: RateLimits
}

/**
 * Serves the frames of secure fields and the controller of a form. Browsers show them in pages of the origins of the
 * client key, or of any origin if the key names none. They set no cookie and are not stored.
 */
export function serveFields(server: FastifyInstance, { app, rates }: FieldsDependencies): void {
  server.get<{ Params: { name: string } }>('/fields/:name', async (request, reply) => {
    const language = payerLanguage(request)
    try {
      const { key = '' } = Object.fromEntries(queryParameters(request))
      const holder = await app.authenticate(key)
      if (holder?.principal.kind !== 'client') {
        rates.countUnknown(request, reply)
        throw unauthorized('The client key is unknown, revoked or expired')
      }
      const { name } = request.params
      const { principal } = holder
      const frame =
        name === 'controller'
          ? controllerFrame(language, principal, await entriesOf(app, holder))
          : fieldFrame(name, language, principal)
      return sendPage(reply, frame ? 200 : 404, frame ?? missingPage(language))
    } catch (error) {
      const { status, description } = apiErrorOf(error)
      if (status === 500) throw error
      return sendPage(reply, status, troublePage(description, language))
    }
  })
}

/**
 * Methods that cannot be entered in a shop's own page with a client key (`closed`), and the card fields of the gateway.
 * With `page`, the shop's page mounts the fields itself. With `frame`, frames of this service load a script that turns
 * the input into tokens. Other fields, such as the fields of a peer, work only in pages of this service; cards are then
 * in `closed`.
 */
async function entriesOf(
  app: App,
  { environment, principal }: { readonly environment: Environment; readonly principal: Principal },
): Promise<ShownEntries> {
  try {
    const entries = await (await (await app.environment(environment)).payables()).entries(principal)
    const closed = (['card', 'bank_account'] as const).filter((method) => !entries.has(method))
    const entry = entries.get('card')
    if (entry?.kind !== 'fields') return { closed }
    const fields = await entry.open().catch(() => undefined)
    const { gateway, merchant } = entry
    const place = { gateway, ...(merchant !== null && { merchant }) }
    if (fields?.inFrames) return { closed, frame: { ...fields.inFrames, settings: fields.settings, place } }
    if (fields?.kind !== 'stripe') return { closed: [...closed, 'card'] }
    const { script, settings, origins } = fields
    return { closed, page: { script, settings, place, origins } }
  } catch (error) {
    // If a key has no destination for payments, the reason is shown when a payment is made.
    if (error instanceof ApiError) return { closed: [] }
    throw error
  }
}
