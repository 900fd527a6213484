import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'

/** Answers a request by the rail; `times` counts requests for payouts. */
type Answering = (response: ServerResponse, times: number, url: URL) => void

const MEBIBYTE = 1024 * 1024

/**
 * Ways in which a peer's server misbehaves at a request for its payouts. Those in `ALWAYS` misbehave for every
 * request.
 */
export const HOSTILITIES = {
  never: () => undefined,
  bytewise(response) {
    const timer = setInterval(() => response.write(' '), 1)
    response.on('close', () => clearInterval(timer))
  },
  endless_pages: (response, times) => answer(response, payouts(payout(`txn_${times}`, times))),
  repeated_places(response, _times, url) {
    const other = url.searchParams.get('created_at')?.endsWith('01') ? 0 : 1
    answer(response, payouts(payout(`txn_${other}`, other)))
  },
  gigabyte(response) {
    const part = Buffer.alloc(MEBIBYTE, '[')
    let left = 1024
    const more = () => {
      while (left > 0 && !response.destroyed) {
        left--
        if (!response.write(part)) return
      }
      response.end()
    }
    response.on('drain', more)
    more()
  },
  many_values: (response) => response.end(bodies().manyValues),
  compressed: (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bodies().compressed),
  wrong_types: (response) =>
    answer(response, payouts({ id: 5, type: [], status: { a: 1 }, amount: 'x', created_at: 7 })),
  no_list: (response) => answer(response, { object: 'list', values: 'none' }),
  negative: (response) => answer(response, payouts({ ...payout('txn_0', 0), amount: -5 })),
  to_come: (response) =>
    answer(response, payouts({ ...payout('txn_0', 0), created_at: '2999-01-01 00:00:00' })),
  closes: (response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('{"object":')
    setImmediate(() => response.destroy())
  },
  to_metadata: (response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
  elsewhere: (response, _times, url) =>
    response.writeHead(307, { location: `http://127.0.0.1:${url.port}/other` }).end(),
  honest: (response, times) => answer(response, payouts(...(times === 1 ? [payout('txn_0', 0)] : []))),
} satisfies Record<string, Answering>

/**
 * Long response bodies, created once: creating them takes a second, and may block the tested server in the same
 * process.
 */
function bodies() {
  made ??= {
    manyValues: `{"object":"list","values":[${Array(650_000).fill('{}').join()}]}`,
    compressed: gzipSync(Buffer.alloc(256 * MEBIBYTE)),
  }
  return made
}
let made: { readonly manyValues: string; readonly compressed: Buffer } | undefined

export type Hostility = keyof typeof HOSTILITIES

/** Kinds that misbehave for every request, not only for payouts. */
const ALWAYS: ReadonlySet<Hostility> = new Set(['never', 'bytewise', 'gigabyte', 'many_values', 'compressed'])

/** A misbehaving server with the API of a peer, on a free port of this machine. */
export interface HostileGateway {
  readonly address: string
  /** Resolves at the first request for payouts. */
  readonly asked: Promise<void>
  /** Number of requests for payouts. */
  readonly times: number
  /** Number of unanswered requests. */
  readonly open: number
  /** Requested paths to which the client must not follow a redirect. */
  readonly strayed: readonly string[]
  close(): Promise<void>
}

export async function openHostileGateway(hostility: Hostility): Promise<HostileGateway> {
  const behave: Answering = HOSTILITIES[hostility]
  const waiting = new Set<ServerResponse>()
  const strayed: string[] = []
  let times = 0
  let ask: () => void = () => undefined
  const asked = new Promise<void>((resolve) => {
    ask = resolve
  })
  const server = createServer((request: IncomingMessage, response) => {
    const url = new URL(request.url ?? '', address)
    const isAboutPayouts = url.searchParams.get('type')?.includes('deposit') ?? false
    if (url.pathname === '/other') strayed.push(url.pathname)
    if (!isAboutPayouts && !ALWAYS.has(hostility)) {
      const id = /^\/transactions\/(\w+)$/.exec(url.pathname)?.[1]
      answer(response, id === undefined ? { object: 'list', values: [] } : payout(id, 0))
      return
    }
    if (isAboutPayouts) times++
    waiting.add(response)
    response.on('close', () => waiting.delete(response))
    behave(response, times, url)
    if (isAboutPayouts) ask()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bound = server.address()
  const address = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`
  return {
    address,
    asked,
    strayed,
    get times() {
      return times
    },
    get open() {
      return waiting.size
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function payouts(...values: readonly object[]) {
  return { object: 'list', values }
}

/** A payout with amount zero, created the given number of seconds after 2026-01-01 00:00 UTC. */
function payout(id: string, seconds: number) {
  const created = new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString()
  const created_at = created.slice(0, 19).replace('T', ' ')
  return { object: 'transaction', id, type: 'deposit', status: 'processed', amount: 0, fee: 0, created_at }
}

function answer(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
