import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from '../api/log.js'
import { apiErrorOf } from '../api/send-answer.js'
import { sendPage } from '../pages/send-page.js'
import { payerLanguage } from './payer-language.js'
import { troublePage } from './plain-page.js'

export interface ErrorLog {
  readonly log: Logger
  /** Message that is logged when a request fails. */
  readonly failed: string
}

/** Answers errors of a server's pages with HTML pages. */
export function showErrorsAsPages(pages: FastifyInstance, { log, failed }: ErrorLog): void {
  pages.setErrorHandler((error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const { status, description, headers } = apiErrorOf(error)
    if (status >= 500) log.error({ request: request.id, err: error }, failed)
    return sendPage(reply.headers(headers), status, troublePage(description, payerLanguage(request)))
  })
}
