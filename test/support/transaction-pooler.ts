import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Messages that a client sends before it waits for the server to be ready. */
interface Request {
  readonly client: Socket
  readonly bytes: Buffer
}

/**
 * `READY` is the type of the server's message that it is ready. `IDLE` is the last byte of that message outside
 * of a transaction.
 */
const READY = 0x5a
const IDLE = 0x49

/**
 * Starts a pooler in front of PostgreSQL with one session for all clients; returns its address. The session
 * goes to the next client between transactions. Every client sends its messages in one piece and waits for
 * the answer.
 */
export async function transactionPooler(databaseUrl: string): Promise<{ url: string; close(): void }> {
  const { hostname, port } = new URL(databaseUrl)
  const session = connect(Number(port), hostname)
  const waiting: Request[] = []
  let owner: Socket | undefined
  let welcome: Buffer | undefined
  let answer = Buffer.alloc(0)
  const next = () => {
    const at = waiting.findIndex(({ client }) => owner === undefined || client === owner)
    const [request] = at < 0 ? [] : waiting.splice(at, 1)
    if (!request) return
    owner = request.client
    session.write(request.bytes)
  }
  session.on('data', (bytes) => {
    answer = Buffer.concat([answer, bytes])
    if (answer.at(-6) !== READY) return
    owner?.write(answer)
    welcome ??= answer
    if (answer.at(-1) === IDLE) owner = undefined
    answer = Buffer.alloc(0)
    next()
  })
  const server = createServer((client) => {
    let isStarted = false
    client.on('error', () => client.destroy())
    client.on('data', (bytes) => {
      const isFirst = !isStarted
      isStarted = true
      if (isFirst && welcome) client.write(welcome)
      // A client's message `Terminate` (`X`) must not end the shared session.
      else if (bytes[0] !== 0x58) {
        waiting.push({ client, bytes })
        next()
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.port = String(addressOf(server.address()).port)
  return {
    url: url.href,
    close() {
      session.destroy()
      server.close()
    },
  }
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('The pooler has no port')
  return address
}
