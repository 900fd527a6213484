import { html } from '../html/html.js'
import { type HtmlPage, page } from '../html/page.js'

/** The page at the root, which describes this service to visitors. */
export function homePage(hasDocs: boolean): HtmlPage {
  const docs = html`<p><a class="button" href="docs/">Documentation</a></p>
<p><a class="button quiet" href="openapi.json">OpenAPI document</a></p>
`
  const body = html`<h1>payctl</h1>
<p>A payment processing and billing service: programs take payments, refund them and send invoices here, over HTTP.</p>
<p class="faint">If you were asked to pay, open the whole address that you were sent.</p>
${hasDocs ? docs : undefined}`
  return page({ title: 'payctl', body })
}
