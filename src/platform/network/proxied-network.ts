import { codeOf } from '../error-code.js'
import { type HttpAnswer, type HttpRequest, type Network, NetworkError } from './network-contract.js'

/** Proxies between this machine and other machines, as environment variables name them. */
export interface Proxies {
  /** Proxy for `http:` addresses. */
  readonly http?: string | undefined
  /** Proxy for `https:` addresses; by default the proxy for `http:`. */
  readonly https?: string | undefined
  /** Hosts that are reached directly, separated by commas. */
  readonly except?: string | undefined
}

/** Opens a network through proxies: tunnels to `https:` addresses, whole requests for `http:` addresses. */
export async function openProxiedNetwork({ http, https, except }: Proxies): Promise<Network> {
  const { EnvHttpProxyAgent } = await import('undici')
  const agent = new EnvHttpProxyAgent({
    httpProxy: http ?? '',
    httpsProxy: https ?? '',
    noProxy: except ?? '',
  })
  return {
    async ask({ method, origin, target, headers, body, patience }: HttpRequest): Promise<HttpAnswer> {
      const signal = AbortSignal.timeout(patience)
      try {
        const answer = await agent.request({
          origin: origin.origin,
          path: target,
          method,
          headers: { ...headers },
          body: body ?? null,
          signal,
        })
        return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() }
      } catch (error) {
        throw new NetworkError(signal.aborted ? 'ETIMEDOUT' : (codeOf(error) ?? 'unknown'), error)
      }
    },
    close: () => void agent.destroy(),
  }
}
