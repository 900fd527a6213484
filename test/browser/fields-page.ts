import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

/** A page of a shop, on an origin of its own that is another site than the service's. */
export interface FieldsPage {
  /** As in `http://localhost:40000`. */
  readonly origin: string
  /** Bodies of the forms that its server received. */
  readonly posted: string[]
  close(): Promise<void>
}

/** The parts of the page: the content of its body, and its script, which runs after the service's. */
export interface PageContent {
  readonly script: string
  readonly body: string
  readonly code: string
}

/**
 * Serves the page under policies that allow scripts and frames of the service alone, no inline script or style, and nothing
 * that does not let itself be embedded. The
 * script keeps each event of the form in `window.seen`. At `/around` is a page that has the page in a frame.
 */
export async function fieldsPage(content: () => PageContent): Promise<FieldsPage> {
  const posted: string[] = []
  let origin = ''
  const server = createServer(async (request: IncomingMessage, response) => {
    const { script, body, code } = content()
    if (request.method === 'POST') {
      posted.push(await text(request))
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end('<!doctype html><html lang="en"><title>Thanks</title><h1>Thanks</h1></html>')
      return
    }
    if (request.url === '/page.js') {
      response.setHeader('content-type', 'text/javascript')
      response.end(code)
      return
    }
    if (request.url === '/around') {
      response.setHeader('content-type', 'text/html')
      response.end(`<!doctype html><title>Around</title><iframe src="${origin}"></iframe>`)
      return
    }
    const service = new URL(script).origin
    response.setHeader('cross-origin-embedder-policy', 'require-corp')
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.setHeader(
      'content-security-policy',
      `default-src 'none'; script-src 'self' ${service}; frame-src ${service}; img-src data:; form-action 'self'`,
    )
    response.end(`<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">
<main><h1>Shop</h1>${body}</main><script src="${script}"></script><script src="/page.js"></script></html>`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The page has no port')
  origin = `http://localhost:${address.port}`
  return {
    origin,
    posted,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
