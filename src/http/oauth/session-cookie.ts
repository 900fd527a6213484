import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '../../engine/store/database/store.js'

const SESSION_SECONDS = 3_600
const KNOWN_SECONDS = 400 * 24 * 3_600

/** The browser's session in an environment; empty when it has none. */
export function sessionIn({ headers: { cookie = '' } }: FastifyRequest, environment: Environment): string {
  return valueIn(cookie, sessionName(environment))
}

/** The cookie of a browser in which a user has signed in before; empty when it has none. */
export function knownBrowserIn(
  { headers: { cookie = '' } }: FastifyRequest,
  environment: Environment,
): string {
  return valueIn(cookie, knownName(environment))
}

/** Sets the cookie that recognizes the browser after the session, for as long as browsers keep one. */
export function setKnownBrowser(
  request: FastifyRequest,
  reply: FastifyReply,
  environment: Environment,
  knownBrowser: string,
): void {
  setCookie(request, reply, `${knownName(environment)}=${knownBrowser}`, KNOWN_SECONDS)
}

/**
 * Sets the browser's session cookie, or removes it if `session` is empty. Scripts cannot read it, and forms of other
 * sites do not send it.
 */
export function setSession(
  request: FastifyRequest,
  reply: FastifyReply,
  environment: Environment,
  session: string,
): void {
  const life = session === '' ? 0 : SESSION_SECONDS
  setCookie(request, reply, `${sessionName(environment)}=${session}`, life)
}

function valueIn(cookie: string, name: string): string {
  return new RegExp(`(?:^|;\\s*)${name}=([\\w.-]{1,200})(?:;|$)`).exec(cookie)?.[1] ?? ''
}

function setCookie(request: FastifyRequest, reply: FastifyReply, pair: string, life: number): void {
  const secure = request.protocol === 'https' ? '; Secure' : ''
  reply.header('set-cookie', `${pair}; Path=/; Max-Age=${life}; HttpOnly; SameSite=Lax${secure}`)
}

function sessionName(environment: Environment): string {
  return `payctl_session_${environment}`
}

function knownName(environment: Environment): string {
  return `payctl_known_${environment}`
}
