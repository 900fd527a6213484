import { invalidAttributes } from '../../../engine/core/request/api-error.js'
import type { JsonObject } from '../../../schema/json.js'
import { webAddressProblem } from '../../../schema/web-address.js'
import { textsOf } from './permissions.js'

const MAX_ORIGINS = 50

/**
 * Reads the origins of a client key: a list, or text with commas. Undefined if there are none. An empty list is refused,
 * as it could mean no origin or any. Throws `InvalidAttributes`.
 */
export function readOrigins(sent: unknown): readonly string[] | undefined {
  if (sent === undefined || sent === null) return undefined
  const origins = textsOf(sent)
  if (!origins || origins.length === 0)
    throw invalidAttributes({ origins: 'Must be a list of origins, as ["https://shop.example"]' })
  if (origins.length > MAX_ORIGINS)
    throw invalidAttributes({ origins: `Must have at most ${MAX_ORIGINS} items` })
  const problems: JsonObject = {}
  for (const [index, origin] of origins.entries()) {
    const problem = webAddressProblem(origin, 'origin') ?? ipv6Problem(origin)
    if (problem) problems[index] = problem
  }
  if (Object.keys(problems).length > 0) throw invalidAttributes({ origins: problems })
  return origins
}

/**
 * Problem of an origin with an IPv6 address. `frame-ancestors` cannot name such an address, so no browser would show
 * a secure field there.
 */
function ipv6Problem(origin: string): string | undefined {
  return origin.includes('[') ? 'Must have a name or an IPv4 address, as in http://localhost:3000' : undefined
}
