import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Random } from '../../platform/random.js'

const COOKIE = 'payctl_visitor'
const BYTES = 18

/** What the visitor's browser was given with a page, and nobody else knows; empty when it was given nothing. */
export function visitorOf({ headers: { cookie = '' } }: FastifyRequest): string {
  return new RegExp(`(?:^|;\\s*)${COOKIE}=([\\w-]{24})(?:;|$)`).exec(cookie)?.[1] ?? ''
}

/**
 * The same, given to it now if it has none. It tells nobody apart from others for longer than the browser is open, no
 * script reads it, and no other site's form brings it along.
 */
export function greetVisitor(request: FastifyRequest, reply: FastifyReply, random: Random): string {
  const known = visitorOf(request)
  if (known !== '') return known
  const made = Buffer.from(random.bytes(BYTES)).toString('base64url')
  const secure = request.protocol === 'https' ? '; Secure' : ''
  reply.header('set-cookie', `${COOKIE}=${made}; Path=/; HttpOnly; SameSite=Lax${secure}`)
  return made
}
