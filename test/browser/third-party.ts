import { once } from 'node:events'
import { createServer } from 'node:http'

/** The page of a third party, on a separate origin. */
export interface ThirdParty {
  /** Origin of the page, such as `http://127.0.0.1:40000`. */
  readonly origin: string
  close(): Promise<void>
}

/** Options for the client script on the page, which records the script's events in `window.heard`. */
export interface Connecting {
  readonly script: string
  readonly clientKey: string
  readonly options: Readonly<Record<string, unknown>>
}

/**
 * Serves a page with a button that starts the authorization. Every path, also the redirect address, shows this
 * page.
 */
export async function thirdParty(connecting: () => Connecting): Promise<ThirdParty> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(pageOf(connecting()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The page has no port')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function pageOf({ script, clientKey, options }: Connecting): string {
  return `<!doctype html><html lang="en"><title>Ledgerly</title><link rel="icon" href="data:,">
<script src="${script}"></script>
<button id="connect">Connect</button>
<script>
  window.heard = []
  Payctl(${JSON.stringify(clientKey)})
  document.getElementById('connect').addEventListener('click', () => {
    const flow = Payctl.Connect(${JSON.stringify(options)})
    for (const event of ['connected', 'denied', 'closed', 'error']) flow.on(event, (told) => heard.push(told))
  })
</script></html>`
}
