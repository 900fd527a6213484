import type { FastifyInstance } from 'fastify'
import { type ErrorLog, showErrorsAsPages } from '../payer/errors-as-pages.js'
import { accountSetUp } from './account-component.js'
import { payerAction } from './action-component.js'
import { checkoutForm, checkoutOutcome } from './checkout-component.js'
import { type HostedDependencies, serveHosted } from './hosted-visit.js'

/** Serves the pages that components show inside of pages of shops. */
export function serveHostedPages(server: FastifyInstance, dependencies: HostedDependencies & ErrorLog): void {
  server.register((pages, _options, done) => {
    showErrorsAsPages(pages, dependencies)
    for (const hosted of [checkoutForm, checkoutOutcome, payerAction, accountSetUp])
      serveHosted(pages, dependencies, hosted(dependencies))
    done()
  })
}
