import { DECLINING_CARDS } from '../../schema/test-cards.js'
import type { Avs, EmbeddedGateway, GatewayMethod } from '../contract.js'
import { isHardCode } from '../hard-declines.js'

/**
 * The gateway of the test environment. It moves no money. It declines the documented test card numbers and approves all
 * others. Bank accounts have no address check.
 */
export const simulator: EmbeddedGateway = {
  kind: 'embedded',
  name: 'simulator',
  perform({ method, amount }) {
    if (method?.type !== 'card') return { result: 'approved', amount, avs: null }
    const avs = checkAddress(method)
    const reason = DECLINING_CARDS.get(method.number)
    if (!reason) return { result: 'approved', amount, avs }
    return { result: 'declined', statusCode: reason, isHard: isHardCode(reason), avs }
  },
}

/**
 * The simulated address check. Street number 999 and postal code 99999 do not match, all others match. An omitted part
 * counts as no match. See docs/interface.md, "Test environment".
 */
function checkAddress({ street, postalCode }: Pick<GatewayMethod, 'street' | 'postalCode'>): Avs {
  if (!street && !postalCode) return 'unknown'
  const streetMatches = Boolean(street) && !/^\s*999\b/.test(street ?? '')
  const zipMatches = Boolean(postalCode) && !/^\s*99999\b/.test(postalCode ?? '')
  if (streetMatches) return zipMatches ? 'street_and_zip' : 'street'
  return zipMatches ? 'zip' : 'no_match'
}
