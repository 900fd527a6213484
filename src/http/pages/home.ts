import type { FastifyInstance } from 'fastify'
import { html } from '../html/html.js'
import { iconFile } from '../html/icon.js'
import { type HtmlPage, page } from '../html/page.js'
import { sendPage } from './send-page.js'

/** Serves the addresses that browsers request by themselves: the root, and the icon of tabs. */
export function serveHome(server: FastifyInstance, hasDocs: boolean): void {
  const home = homePage(hasDocs)
  const icon = iconFile()
  server.get('/', (_request, reply) => sendPage(reply, 200, home))
  server.get('/favicon.ico', (_request, reply) =>
    reply
      .headers({ 'cache-control': 'public, max-age=86400', 'x-content-type-options': 'nosniff' })
      .type('image/x-icon')
      .send(icon),
  )
}

/** The page at the root, which describes this service to visitors. */
function homePage(hasDocs: boolean): HtmlPage {
  const docs = html`<p><a class="button" href="docs/">Documentation</a></p>
<p><a class="button quiet" href="openapi.json">OpenAPI document</a></p>
`
  const body = html`<h1>payctl</h1>
<p>A payment processing and billing service: programs take payments, refund them and send invoices here, over HTTP.</p>
<p class="faint">If you were asked to pay, open the whole address that you were sent.</p>
${hasDocs ? docs : undefined}`
  return page({ title: 'payctl', body })
}
