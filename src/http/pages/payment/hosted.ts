import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { apiErrorOf } from '../../api/wire/errors.js'
import type { Logger } from '../../api/wire/log.js'
import { troublePage } from '../../views/payment/plain-page.js'
import { sendPage } from '../send-page.js'
import { serveOutcomes } from './outcome.js'
import { type PayParts, servePayPage } from './pay.js'

/** Serves the pages that payers use; what goes wrong there is told on a page too. */
export function serveHosted(
  server: FastifyInstance,
  parts: PayParts & { readonly log: Logger; readonly failed: string },
): void {
  server.register((pages, _options, done) => {
    pages.setErrorHandler((error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      const { status, description, headers } = apiErrorOf(error)
      if (status >= 500) parts.log.error({ request: request.id, err: error }, parts.failed)
      return sendPage(reply.headers(headers), status, troublePage(description))
    })
    servePayPage(pages, parts)
    serveOutcomes(pages, parts.app)
    done()
  })
}
