import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../engine/core/request/api-error.js'
import type { QueryPair } from '../../engine/core/request/request.js'
import { DEFAULT_LANGUAGE } from '../../schema/language.js'
import { qrCodeHtml } from '../html/qr-code-html.js'
import { sendPage } from '../pages/send-page.js'
import { queryParameters } from '../pages/signed-address.js'
import { findLink, type LinkSources } from './find-link.js'
import { payerLanguage } from './payer-language.js'
import { missingPage } from './plain-page.js'
import { fillText, textsIn } from './texts/payer-texts.js'

/** Maximum number of characters of an address in a QR code: with more, the code is hard to scan. */
const MAX_ADDRESS = 1_000

/** Headers of the picture, which any page may show. A link's address stays the same, so an hour in caches is safe. */
const HEADERS = {
  'content-type': 'image/svg+xml; charset=utf-8',
  'cache-control': 'public, max-age=3600',
  'content-security-policy': "default-src 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
} as const

/** Serves the QR code of a payment link's address, followed by the query of the request. */
export function serveQrCodes(server: FastifyInstance, sources: LinkSources): void {
  server.get<{ Params: { id: string } }>('/pay/:id.qrcode.svg', async (request, reply) => {
    const link = await findLink(sources, request.params.id)
    if (!link) return sendPage(reply, 404, missingPage(payerLanguage(request)))
    const address = withQuery(link.url, queryParameters(request))
    if (address.length > MAX_ADDRESS)
      throw new ApiError('BadRequest', 'The address is too long to be scanned')
    const { payMerchant } = textsIn(link.locale ?? DEFAULT_LANGUAGE)
    const title = fillText(payMerchant, { merchant: link.merchant })
    return reply.headers(HEADERS).send(qrCodeHtml(address, title).text)
  })
}

function withQuery(url: string, parameters: readonly QueryPair[]): string {
  if (parameters.length === 0) return url
  const query = new URLSearchParams()
  for (const [name, value] of parameters) query.append(name, value)
  return `${url}?${query}`
}
