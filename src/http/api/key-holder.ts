import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.js'
import type { Holder } from '../../domain/access/authenticate.js'
import { hintOf } from '../../domain/access/keys/secret.js'
import type { Principal } from '../../engine/core/request/principal.js'
import { credentialOf, refuseInMaintenance, unauthorized } from './authentication.js'
import { refuseFromPages } from './cross-origin.js'
import type { RateLimits } from './rate-limits.js'

/**
 * Authenticates the key of a request, and checks that its holder may make requests now. Throws `Unauthorized`,
 * `Forbidden`, `TooManyRequests` or `ServiceUnavailable`.
 */
export async function keyHolder(
  request: FastifyRequest,
  reply: FastifyReply,
  { app, rates }: { readonly app: App; readonly rates: RateLimits },
): Promise<Holder> {
  const holder = await app.authenticate(credentialOf(request.headers.authorization))
  if (!holder) {
    rates.countUnknown(request, reply)
    throw unauthorized('The key is unknown, revoked or expired')
  }
  request.principalId = loggableId(holder.principal)
  refuseFromPages(request, holder.principal)
  rates.admitKey(holder, reply)
  refuseInMaintenance(holder)
  return holder
}

/** The id of a client key is the key itself: the log gets only a hint of it. */
function loggableId({ kind, id }: Principal): string {
  return kind === 'client' ? hintOf(id) : id
}
