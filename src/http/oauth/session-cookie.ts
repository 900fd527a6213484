import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '../../engine/store/database/store.js'

const SECONDS = 3_600

/** The session that the browser was given in an environment; empty when it was given none. */
export function sessionIn({ headers: { cookie = '' } }: FastifyRequest, environment: Environment): string {
  return new RegExp(`(?:^|;\\s*)${nameOf(environment)}=([\\w.-]{1,200})(?:;|$)`).exec(cookie)?.[1] ?? ''
}

/** Gives the browser a session, or takes it away with an empty one. No script reads it, no other site's form sends it. */
export function giveSession(
  request: FastifyRequest,
  reply: FastifyReply,
  environment: Environment,
  session: string,
): void {
  const life = session === '' ? 0 : SECONDS
  const secure = request.protocol === 'https' ? '; Secure' : ''
  reply.header(
    'set-cookie',
    `${nameOf(environment)}=${session}; Path=/; Max-Age=${life}; HttpOnly; SameSite=Lax${secure}`,
  )
}

function nameOf(environment: Environment): string {
  return `payctl_session_${environment}`
}
