import type { Avs, GatewayMethod } from '../contract.js'

/**
 * The simulated address check: street number 999 and postal code 99999 are wrong, everything else is right, and
 * what was not given is not checked. Decisions: "Test environment".
 */
export function checkAddress({ street, postalCode }: Pick<GatewayMethod, 'street' | 'postalCode'>): Avs {
  if (!street && !postalCode) return 'unknown'
  const streetMatches = Boolean(street) && !/^\s*999\b/.test(street ?? '')
  const zipMatches = Boolean(postalCode) && !/^\s*99999\b/.test(postalCode ?? '')
  if (streetMatches) return zipMatches ? 'street_and_zip' : 'street'
  return zipMatches ? 'zip' : 'no_match'
}
