import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type Json, type JsonObject, parsedJson } from '../../../src/schema/json.js'
import { isTree } from '../../../src/schema/types.js'

/** A request to a scripted peer. */
export interface Requested {
  readonly method: string
  readonly path: string
  readonly body: { readonly [name: string]: unknown }
}

/** Status, body and further headers of an answer. A string is sent unchanged, not as JSON. */
export type Answer = readonly [status: number, body: Json, headers?: Readonly<Record<string, string>>]

/** A server whose answers a test decides, and which records requests. */
export interface ScriptedPeer {
  readonly address: string
  /** Received POST and PUT requests, in order. */
  readonly received: Requested[]
  /** Decides each answer. Undefined stands for the usual answer: an approval, or an empty list. */
  answer: (request: Requested) => Answer | undefined
  close(): Promise<void>
}

export async function scriptedPeer(): Promise<ScriptedPeer> {
  let count = 0
  const usual = ({ method, body }: Requested): Answer => {
    if (method === 'GET') return [200, { object: 'list', values: [] }]
    return [200, approval(`txn_there${count++}`, body)]
  }
  const server = createServer(async (request, response) => {
    const requested = await requestIn(request)
    if (requested.method !== 'GET') peer.received.push(requested)
    const [status, body, headers] = peer.answer(requested) ?? usual(requested)
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bound = server.address()
  const peer: ScriptedPeer = {
    address: `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`,
    received: [],
    answer: () => undefined,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return peer
}

/** An approved transaction with the type and amount of the request. */
function approval(id: string, { type, amount, attrs }: Requested['body']): JsonObject {
  return {
    id,
    object: 'transaction',
    type: String(type),
    status: 'processed',
    amount: Number(amount),
    attrs: { reference: isTree(attrs) ? String(attrs.reference) : '' },
  }
}

async function requestIn(request: IncomingMessage): Promise<Requested> {
  let text = ''
  for await (const part of request) text += String(part)
  const body = parsedJson(text)
  return { method: request.method ?? '', path: request.url ?? '', body: isTree(body) ? body : {} }
}
