import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '../../engine/store/database/store.js'

const SESSION_SECONDS = 3_600

/** The browser's session in an environment; empty when it has none. */
export function sessionIn({ headers: { cookie = '' } }: FastifyRequest, environment: Environment): string {
  return new RegExp(`(?:^|;\\s*)${nameOf(environment)}=([\\w.-]{1,200})(?:;|$)`).exec(cookie)?.[1] ?? ''
}

/** Sets the browser's session cookie, or removes it if `session` is empty. No script reads it, and no other site's form sends it. */
export function setSession(
  request: FastifyRequest,
  reply: FastifyReply,
  environment: Environment,
  session: string,
): void {
  const life = session === '' ? 0 : SESSION_SECONDS
  const secure = request.protocol === 'https' ? '; Secure' : ''
  reply.header(
    'set-cookie',
    `${nameOf(environment)}=${session}; Path=/; Max-Age=${life}; HttpOnly; SameSite=Lax${secure}`,
  )
}

function nameOf(environment: Environment): string {
  return `payctl_session_${environment}`
}
