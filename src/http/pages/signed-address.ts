import type { FastifyRequest } from 'fastify'
import type { Environment } from '../../engine/store/database/store.js'
import { parseQueryString, splitTarget } from '../api/request-target.js'

/** Maximum number of parameters of an address, unless its page takes more. */
const MAX_PARAMETERS = 10

/** The route of a signed address, which shows an object without a key. */
export interface AddressRoute {
  Params: { environment: string; id: string }
}

/** A signed address in its parts. */
export interface SignedAddress {
  readonly environment: Environment
  readonly id: string
  /** The day at whose start the address expires; undefined if the address never expires. */
  readonly until: string | undefined
  readonly signature: string
}

/** The parts of an address, its signature not verified; undefined when it names no environment. */
export function signedAddressOf(request: FastifyRequest<AddressRoute>): SignedAddress | undefined {
  const { environment, id } = request.params
  if (environment !== 'test' && environment !== 'live') return undefined
  const { until, signature = '' } = Object.fromEntries(queryParameters(request))
  return { environment, id, until, signature }
}

/** The parameters of an address in order. Throws `BadRequest` for more than `max`. */
export function queryParameters({ raw }: Pick<FastifyRequest, 'raw'>, max = MAX_PARAMETERS) {
  return parseQueryString(splitTarget(raw.url).search, max)
}
