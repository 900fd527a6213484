import { once } from 'node:events'

/** Port of this machine to which a browser is redirected with a result. */
export interface Loopback {
  /** Origin, such as `http://127.0.0.1:40000`. */
  readonly origin: string
  /** Parameters of the first visit to a path for which `isExpected` is true. */
  visit(path: string, isExpected: (values: URLSearchParams) => boolean): Promise<URLSearchParams>
  close(): void
}

/** Listens on a free port. Answers the expected visit with a text, and any other with 404. */
export async function openLoopback(text: string): Promise<Loopback> {
  const { createServer } = await import('node:http')
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A server on loopback has no port')
  const origin = `http://127.0.0.1:${address.port}`
  return {
    origin,
    visit: async (path, isExpected) =>
      await new Promise((resolve) => {
        server.on('request', ({ url = '/' }, response) => {
          const { pathname, searchParams } = new URL(url, origin)
          const isHere = pathname === path && isExpected(searchParams)
          response.writeHead(isHere ? 200 : 404, {
            'content-type': 'text/plain; charset=utf-8',
            'cache-control': 'no-store',
            'referrer-policy': 'no-referrer',
            connection: 'close',
          })
          response.end(isHere ? text : 'Not here')
          if (isHere) resolve(searchParams)
        })
      }),
    close() {
      server.close()
      server.closeIdleConnections()
    },
  }
}
