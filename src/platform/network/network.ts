import type { Agent, IncomingMessage } from 'node:http'
import { codeOf } from '../error-code.js'
import { type HttpAnswer, type HttpRequest, type Network, NetworkError } from './network-contract.js'
import type { Proxies } from './proxied-network.js'

/**
 * Opens a network over HTTP, or HTTPS if the address has that scheme; through proxies if they are given.
 * Connections are kept for later requests.
 */
export async function openNetwork({ protocol: scheme }: URL, proxies?: Proxies): Promise<Network> {
  if (proxies) {
    const { openProxiedNetwork } = await import('./proxied-network.js')
    return await openProxiedNetwork(proxies)
  }
  const http = scheme === 'https:' ? await import('node:https') : await import('node:http')
  const agent: Agent = new http.Agent({ keepAlive: true })
  const ask = async ({ origin, target, patience, body, ...rest }: HttpRequest): Promise<HttpAnswer> =>
    await new Promise((resolve, reject) => {
      const signal = AbortSignal.timeout(patience)
      const fail = (error: unknown) =>
        reject(new NetworkError(signal.aborted ? 'ETIMEDOUT' : (codeOf(error) ?? 'unknown'), error))
      const { protocol, hostname, port } = origin
      const host = hostname.replace(/^\[(.*)\]$/, '$1')
      http
        .request({ ...rest, protocol, host, port, path: target, agent, signal })
        .on('error', fail)
        .on('response', (response: IncomingMessage) => {
          answerOf(response).then(resolve, fail)
        })
        .end(body)
    })
  return { ask, close: () => agent.destroy() }
}

async function answerOf(response: IncomingMessage): Promise<HttpAnswer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of response) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString('utf8')
  return { status: response.statusCode ?? 0, headers: response.headers, text }
}
