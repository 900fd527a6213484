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

/** Status and body of an answer; a text is sent as it is. */
export type Answer = readonly [status: number, body: Json]

/** A server that answers as a test says, and records what it received. */
export interface ScriptedPeer {
  readonly address: string
  /** POSTs and PUTs in the order of their arrival. */
  readonly received: Requested[]
  /** Decides each answer; undefined is the usual one: an approval, or an empty list. */
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
    const [status, body] = peer.answer(requested) ?? usual(requested)
    response.writeHead(status, { 'content-type': 'application/json' })
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

/** An approved transaction of the interface, as the request asks for it. */
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
