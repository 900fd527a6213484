import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** A request to a receiver. */
export interface Received {
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string
}

/** A receiver of webhooks, on a free port of this machine. */
export interface Receiver {
  readonly address: string
  readonly received: Received[]
  /** Maximum number of notifications in progress at once. */
  readonly most: number
  close(): Promise<void>
}

/** Answers a notification, with 200 by default. */
export type Behaviour = (received: Received, response: ServerResponse) => void

export async function openReceiver(behave: Behaviour = agree): Promise<Receiver> {
  const received: Received[] = []
  const open = new Set<ServerResponse>()
  let most = 0
  const server = createServer((request, response) => {
    open.add(response)
    most = Math.max(most, open.size)
    response.on('close', () => open.delete(response))
    void bodyOf(request).then((body) => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      )
      const one = { path: request.url ?? '', headers, body }
      received.push(one)
      behave(one, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const place = server.address()
  if (place === null || typeof place === 'string') throw new Error('The receiver has no port')
  return {
    address: `http://127.0.0.1:${place.port}`,
    received,
    get most() {
      return most
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export function agree(_received: Received, response: ServerResponse): void {
  response.end()
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  // Incomplete requests are ignored.
  request.on('error', () => undefined)
  for await (const part of request) parts.push(Buffer.from(part))
  return Buffer.concat(parts).toString('utf8')
}
