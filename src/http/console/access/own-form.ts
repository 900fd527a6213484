import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../../engine/core/request/api-error.js'
import { isLoopbackAddress } from '../../../platform/network/reach.js'
import { postedForm } from '../../pages/form-tokens.js'

/**
 * Fields of a form that a page of this console posts. Throws `Forbidden` if another site sent it, and the errors of
 * `postedForm`.
 */
export function ownForm(request: FastifyRequest): ReadonlyMap<string, string> {
  if (!isFromHere(request)) throw new ApiError('Forbidden', 'The form was not sent by a page of this console')
  return postedForm(request)
}

/**
 * Whether a page of this origin sends a request. Browsers say so in `Sec-Fetch-Site`, older browsers only in `Origin`.
 */
function isFromHere({ headers, host }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return headers.origin !== undefined && URL.parse(headers.origin)?.host === host
}

/**
 * Refuses a request over plain HTTP that does not come directly from this machine: it has another host name or came
 * through a proxy. Throws `Forbidden`.
 */
export function expectLoopback({ headers, hostname }: FastifyRequest): void {
  const isForwarded = Object.keys(headers).some((name) => BY_PROXIES.test(name))
  const name = hostname.replace(/^\[(.*)\]$/, '$1')
  if (!isForwarded && (name === 'localhost' || isLoopbackAddress(name))) return
  throw new ApiError(
    'Forbidden',
    'Without TLS the console is for this machine only: put a proxy that speaks TLS in front, and start payctl serve --console --behind-tls-proxy',
  )
}

/** Names of headers that proxies add. */
const BY_PROXIES = /^(?:x-forwarded(?:-.*)?|forwarded|x-real-ip|via)$/
