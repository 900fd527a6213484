import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from '../../api/log.js'
import { apiErrorOf } from '../../api/send-answer.js'
import { troublePage } from '../../views/payment/plain-page.js'
import { serveMailPages } from '../mail/serve-mail-pages.js'
import { payerLanguage } from '../payer-language.js'
import { sendPage } from '../send-page.js'
import { serveOutcomes } from './outcome-page.js'
import { type PayPageDependencies, servePayPage } from './serve-pay-page.js'
import { serveQrCodes } from './serve-qr-codes.js'

interface PayerPagesDependencies extends PayPageDependencies {
  readonly log: Logger
  /** Logged when a request fails. */
  readonly failed: string
}

/** Serves the pages that payers use; their errors are pages too. */
export function servePayerPages(server: FastifyInstance, dependencies: PayerPagesDependencies): void {
  const { app, log, failed } = dependencies
  server.register((pages, _options, done) => {
    pages.setErrorHandler((error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      const { status, description, headers } = apiErrorOf(error)
      if (status >= 500) log.error({ request: request.id, err: error }, failed)
      return sendPage(reply.headers(headers), status, troublePage(description, payerLanguage(request)))
    })
    servePayPage(pages, dependencies)
    serveQrCodes(pages, dependencies)
    serveOutcomes(pages, app)
    serveMailPages(pages, app)
    done()
  })
}
