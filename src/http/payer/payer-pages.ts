import type { FastifyInstance } from 'fastify'
import { type ErrorLog, showErrorsAsPages } from './errors-as-pages.js'
import { serveOutcomes } from './outcome-page.js'
import { serveActionPage } from './serve-action-page.js'
import { serveMailPages } from './serve-mail-pages.js'
import { type PayPageDependencies, servePayPage } from './serve-pay-page.js'
import { serveQrCodes } from './serve-qr-codes.js'

/** Serves the pages that payers use; their errors are pages too. */
export function servePayerPages(server: FastifyInstance, dependencies: PayPageDependencies & ErrorLog): void {
  server.register((pages, _options, done) => {
    showErrorsAsPages(pages, dependencies)
    servePayPage(pages, dependencies)
    serveQrCodes(pages, dependencies)
    serveOutcomes(pages, dependencies.app)
    serveActionPage(pages, dependencies.app)
    serveMailPages(pages, dependencies.app)
    done()
  })
}
