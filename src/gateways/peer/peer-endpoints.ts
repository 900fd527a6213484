import { type Input, isTree } from '../../schema/types.js'
import type { Credentials } from '../contract.js'
import type { CreatedEndpoints, RailEndpoint, RailEndpoints } from '../rail-endpoints.js'
import { UnknownOutcome } from '../unknown-outcome.js'
import type { PeerRequest } from './peer-request.js'

/**
 * Sends a request and returns the object in its answer. Throws `RefusedReading` if the peer refuses the key or the
 * merchant, otherwise `UnknownOutcome`.
 */
export type PeerCall = (request: PeerRequest, credentials: Credentials) => Promise<Input>

/** Triggers of a peer's webhooks that payctl handles. Each webhook has one trigger. */
const PEER_TRIGGERS = ['processed', 'decline', 'void', 'refund', 'reject', 'reversal', 'deposit'] as const

const PATH = '/webhooks'
const MAX_LISTED = 100

/**
 * Webhooks of a peer, one for each trigger. A peer that signs notifications returns a secret with each new
 * webhook. The service that first offered this API returns none, and its unsigned notifications are accepted.
 */
export function peerEndpoints(call: PeerCall): RailEndpoints<[Credentials]> {
  return {
    async list(credentials) {
      const { values } = await call({ method: 'GET', path: `${PATH}?limit=${MAX_LISTED}` }, credentials)
      if (!Array.isArray(values)) throw new UnknownOutcome('The peer answers no list')
      return endpointsIn(values.filter(isTree))
    },

    async create({ endpoint }, credentials) {
      const ids: string[] = []
      const secrets: string[] = []
      for (const trigger of PEER_TRIGGERS) {
        const body = { trigger, url: endpoint }
        const { id, secret } = await call({ method: 'POST', path: PATH, body }, credentials)
        if (typeof id !== 'string') throw new UnknownOutcome('The peer answers no webhook')
        ids.push(id)
        if (typeof secret === 'string') secrets.push(secret)
      }
      const kept: CreatedEndpoints = { ids, secrets: { notification_secret: secrets.join(' ') } }
      return secrets.length === 0 ? { ids, secrets: {} } : kept
    },

    async remove(id, credentials) {
      await call({ method: 'DELETE', path: `${PATH}/${encodeURIComponent(id)}` }, credentials)
    },
  }
}

/** The webhooks as endpoints. A webhook's problem names the triggers for which its address has no enabled webhook. */
function endpointsIn(webhooks: readonly Input[]): readonly RailEndpoint[] {
  const enabled = webhooks.filter(({ status }) => status !== 'disabled')
  return webhooks.flatMap(({ id, url, status }): RailEndpoint[] => {
    if (typeof id !== 'string' || typeof url !== 'string') return []
    if (status === 'disabled') return [{ id, url, problem: 'is disabled' }]
    const known = enabled.flatMap((each) => (each.url === url ? [each.trigger] : []))
    const missing = PEER_TRIGGERS.filter((trigger) => !known.includes(trigger))
    return [{ id, url, problem: missing.length === 0 ? null : `misses webhooks of ${missing.join(', ')}` }]
  })
}
