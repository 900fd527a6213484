import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.js'
import { hintOf } from '../../domain/access/keys/secret.js'
import { ApiError } from '../../engine/core/request/errors.js'
import type { Principal } from '../../engine/core/request/principal.js'
import { apiRequestOf } from './api-request.js'
import type { Rates } from './rates/rates.js'
import { send } from './wire/answer.js'
import { credentialOf, unauthorized } from './wire/credentials.js'
import type { Limits } from './wire/limits.js'
import { refuseInMaintenance } from './wire/maintenance.js'
import { checkVersion } from './wire/version.js'

/** Who asked, for the log. */
export type Holders = WeakMap<FastifyRequest, string>

/** What answering takes. */
interface Answering {
  readonly app: App
  readonly limits: Limits
  readonly rates: Rates
  readonly holders: Holders
}

/** Answers any request to the interface: who asks, what is asked, and what the core of that environment says. */
export function handler({ app, limits, rates, holders }: Answering) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    checkHost(request)
    checkVersion(request.headers['x-api-version'])
    const holder = await app.authenticate(credentialOf(request.headers.authorization))
    if (!holder) {
      rates.countUnknown(request)
      throw unauthorized('The key is unknown, revoked or expired')
    }
    holders.set(request, shownId(holder.principal))
    rates.admitKey(holder, reply)
    refuseInMaintenance(holder)
    const asked = await apiRequestOf(request, holder.principal, limits)
    const core = await app.core(holder.environment)
    const { status, body, text = body, headers } = await core.handle(asked)
    return send(reply, status, text, asked.dryRun ? { ...headers, 'preference-applied': 'dry-run' } : headers)
  }
}

/** Whoever asks, as a log may know it: the id of a client key is the key itself. */
function shownId({ kind, id }: Principal): string {
  return kind === 'client' ? hintOf(id) : id
}

/** HTTP/1.1 wants a Host; Node would refuse without the error object. Throws `BadRequest`. */
function checkHost(request: FastifyRequest): void {
  if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
    throw new ApiError('BadRequest', 'The Host header is missing')
  }
}
