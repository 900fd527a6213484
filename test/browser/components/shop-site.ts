import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** A page of the shop: its markup, and the script that runs after it. */
export interface ShopPage {
  readonly body: string
  /** JavaScript that runs after React and `payload-react`, which are in `window.shop`. */
  readonly script: string
  /** Markup of the head, such as the script element of the service. */
  readonly head: string
  /** JavaScript that runs before every other script of the page. */
  readonly first: string
  /** Value of `Content-Security-Policy`. */
  readonly policy: string
  /** Whether the page is isolated: it loads only resources of other origins that allow embedding. */
  readonly isIsolated?: boolean
}

/** A shop on another site than the service, which is at `127.0.0.1`. */
export interface ShopSite {
  /** Origin of the shop, such as `http://localhost:40000`. */
  readonly origin: string
  /** Address, headers and body of each request that the shop's server received. */
  readonly received: readonly string[]
  /** Page at `/`; a POST to any other path is answered with a page of thanks. */
  page: ShopPage
  close(): Promise<void>
}

/** Script that runs before the page's other scripts, and records what a script of the page can see. */
const SPY = `
window.events = []
window.messages = []
addEventListener('message', ({ origin, data }) => messages.push({ origin, data }))
addEventListener('securitypolicyviolation', ({ blockedURI, violatedDirective }) =>
  console.error('Refused by the policy: ' + violatedDirective + ' ' + blockedURI))
const waiting = []
const met = ({ test, resolve }) => {
  const found = events.findLast(test)
  if (found) resolve(JSON.stringify(found))
  return found !== undefined
}
/** Records an event, with the name of its input instead of the element. */
window.note = ({ target, ...event }) => {
  events.push(target ? { ...event, target: target.getAttribute('pl-input') } : event)
  for (const [index, wait] of [...waiting.entries()].reverse()) if (met(wait)) waiting.splice(index, 1)
}
/** Resolves to the newest event that passes a test, as JSON; waits for one if there is none. */
window.until = (test) => new Promise((resolve) => {
  if (!met({ test, resolve })) waiting.push({ test, resolve })
})
window.FORM = ['processing', 'processed', 'authorized', 'declined', 'created', 'success', 'error', 'invalid', 'valid',
  'focus', 'blur', 'change']
window.CHECKOUT = ['processed', 'authorized', 'declined', 'success', 'loaded', 'closed']
/** Listeners for a component of payload-react, which record the events with these names. */
window.noting = (...names) => Object.fromEntries(names.map((name) =>
  ['on' + name.split('_').map((word) => word[0].toUpperCase() + word.slice(1)).join(''), note]))
/** Everything that a script of this page can read. */
window.seen = () => JSON.stringify([
  document.documentElement.outerHTML,
  [...document.querySelectorAll('input,select,textarea')].map(({ value }) => value),
  events, messages, location.href, document.cookie, { ...localStorage }, { ...sessionStorage }, history.state,
  performance.getEntries().map(({ name }) => name),
  [...document.querySelectorAll('iframe')].map((frame) => {
    try { return frame.contentWindow.document.documentElement.outerHTML } catch (error) { return error.name }
  }),
])
`

/** Starts the shop's server; tests can replace its page. */
export async function shopSite(): Promise<ShopSite> {
  const react = await reactScript()
  const received: string[] = []
  const page: ShopPage = { body: '', script: '', head: '', first: '', policy: '' }
  const site = { page }
  const server = createServer(async (request, response) => {
    received.push(
      [request.method, request.url, JSON.stringify(request.headers), await text(request)].join('\n'),
    )
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const [type, content] = new Map([
      ['/', ['text/html', wholePage(site.page)]],
      ['/spy.js', ['text/javascript', site.page.first + SPY]],
      ['/react.js', ['text/javascript', react]],
      ['/page.js', ['text/javascript', site.page.script]],
    ]).get(pathname) ?? ['text/html', '<!doctype html><html lang="en"><title>Thanks</title><h1>Thanks</h1>']
    response.writeHead(200, {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': site.page.policy,
      ...(site.page.isIsolated && { 'cross-origin-embedder-policy': 'require-corp' }),
    })
    response.end(content)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The shop has no port')
  return Object.assign(site, {
    origin: `http://localhost:${address.port}`,
    received,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

function wholePage({ head, body }: ShopPage): string {
  return `<!doctype html><html lang="en"><head><title>Shop</title><link rel="icon" href="data:,">
<script src="/spy.js"></script>${head}<script src="/react.js"></script></head>
<body><main><h1>Shop</h1>${body}<div id="root"></div></main><script src="/page.js"></script></body></html>`
}

/** React and `payload-react`, unmodified, in one script. */
async function reactScript(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import React from 'react'
import { render, unmountComponentAtNode } from 'react-dom'
import * as components from 'payload-react'
window.shop = { ...components, React, h: React.createElement,
  show: (element) => render(element, document.querySelector('#root')),
  hide: () => unmountComponentAtNode(document.querySelector('#root')) }`,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    bundle: true,
    write: false,
    define: { 'process.env.NODE_ENV': '"development"' },
  })
  return outputFiles[0]?.text ?? ''
}
