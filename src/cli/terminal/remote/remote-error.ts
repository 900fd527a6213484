import type { HttpAnswer } from '../../../platform/network/network-contract.js'

/** Error of an address at which no payctl answers. The message is one sentence that says what to do. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError'
}

/** A request without an answer. */
interface Unanswered {
  /** The address as the operator gave it. */
  readonly server: string
  readonly code: string
  /** Seconds within which the answer had to come. */
  readonly seconds: number
  /** The proxy that was used, with its variable. */
  readonly proxy: string | undefined
}

/** Error of an address from which no answer came. */
export function unreachable({ host }: URL, unanswered: Unanswered): RemoteError {
  return new RemoteError(reasonOf(host, unanswered))
}

function reasonOf(host: string, { server, code, seconds, proxy }: Unanswered): string {
  if (proxy !== undefined)
    return `${server} cannot be reached through the proxy ${proxy}: ${code}; fix the proxy, or name the host in NO_PROXY.`
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host ${host} is not known (DNS: ${code}); fix the address ${server}, or the network.`
    case 'ECONNREFUSED':
      return `Nobody listens at ${server}; start payctl serve there, or fix the address.`
    case 'ETIMEDOUT':
      return `${server} did not answer within ${seconds} seconds; check its log, or allow more in PAYCTL_TIMEOUT.`
    case 'ECONNRESET':
    case 'EPIPE':
      return `${server} closed the connection before it answered; check its log, and try again.`
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `The network does not reach ${server} (${code}); fix the network or the address.`
    case 'EPROTO':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
      return `${server} does not speak TLS; fix the address, or the proxy before payctl serve.`
    default:
      return isCertificate(code)
        ? `The certificate of ${server} is not trusted (${code}); renew it, or name its authority in NODE_EXTRA_CA_CERTS.`
        : `${server} cannot be reached (${code}).`
  }
}

function isCertificate(code: string): boolean {
  return /CERT|ALTNAME|LEAF_SIGNATURE|TLS/.test(code)
}

/** Error of an answer that is not from payctl. */
export function foreign(server: string, { status, headers }: HttpAnswer): RemoteError {
  const { location, 'content-type': type } = headers
  if (status >= 300 && status < 400 && location !== undefined)
    return new RemoteError(`${server} redirects to ${location}; use that address.`)
  if (status >= 500)
    return new RemoteError(
      `What answers at ${server} cannot reach payctl (status ${status}); start payctl serve behind it.`,
    )
  return new RemoteError(
    `What answers at ${server} is no payctl (status ${status}, ${type ?? 'no type'}); fix the address.`,
  )
}
