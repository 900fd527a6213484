import type { FastifyInstance } from 'fastify'
import type { App } from '../../../app.js'
import { ApiError } from '../../../engine/core/request/api-error.js'
import type { Principal } from '../../../engine/core/request/principal.js'
import type { Environment } from '../../../engine/store/database/store.js'
import { unauthorized } from '../../api/authentication.js'
import type { RateLimits } from '../../api/rate-limits.js'
import { apiErrorOf } from '../../api/send-answer.js'
import { controllerFrame, type FrameRails, fieldFrame } from '../../views/components/field-html.js'
import { missingPage, troublePage } from '../../views/payment/plain-page.js'
import { payerLanguage } from '../payer-language.js'
import { sendPage } from '../send-page.js'
import { queryParameters } from '../signed-address.js'

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
          ? controllerFrame(language, principal, await railsOf(app, holder))
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
 * What the gateway that takes cards for a client key has for a shop's own page: fields that the page mounts, or a script that
 * makes tokens of what is typed into frames of this service.
 */
async function railsOf(
  app: App,
  { environment, principal }: { readonly environment: Environment; readonly principal: Principal },
): Promise<FrameRails> {
  try {
    const entry = await (await (await app.environment(environment)).payables()).cardFields(principal)
    const fields = await entry?.open()
    if (!entry || !fields) return {}
    const { gateway, merchant } = entry
    const { script, settings, inFrames, origins } = fields
    const place = { gateway, ...(merchant !== null && { merchant }) }
    if (inFrames) return { frame: { ...inFrames, settings, place } }
    return fields.kind === 'stripe' ? { page: { script, settings, place, origins } } : {}
  } catch (error) {
    // A key that names no destination says so when it pays.
    if (error instanceof ApiError) return {}
    throw error
  }
}
