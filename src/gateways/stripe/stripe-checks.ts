import type { Avs, CvvResult } from '../contract.js'

/** Stripe's results of the checks of a card's address and code; null for a check that was not made. */
interface Checks {
  readonly address_line1_check: string | null
  readonly address_postal_code_check: string | null
  readonly cvc_check: string | null
}

/**
 * Our result by Stripe's result for the street, then by its result for the postal code. Complete as documented by
 * Stripe.
 */
const AVS: Readonly<Record<string, Readonly<Record<string, Avs>>>> = {
  pass: {
    pass: 'street_and_zip',
    fail: 'street',
    unavailable: 'street',
    unchecked: 'street',
    none: 'street',
  },
  fail: { pass: 'zip', fail: 'no_match', unavailable: 'no_match', unchecked: 'no_match', none: 'no_match' },
  unavailable: {
    pass: 'zip',
    fail: 'no_match',
    unavailable: 'unknown',
    unchecked: 'unknown',
    none: 'unknown',
  },
  unchecked: { pass: 'zip', fail: 'no_match', unavailable: 'unknown', unchecked: 'unknown', none: 'unknown' },
  none: { pass: 'zip', fail: 'no_match', unavailable: 'unknown', unchecked: 'unknown' },
}

const CVV: ReadonlyMap<string, CvvResult> = new Map(
  Object.entries({
    pass: 'match',
    fail: 'no_match',
    unavailable: 'not_checked',
    unchecked: 'not_checked',
  } as const),
)

/** The bank's results for the address and the card code; null for a check that was not made. */
export function checksOf(checks: Checks | null | undefined): { avs: Avs | null; cvv: CvvResult | null } {
  if (!checks) return { avs: null, cvv: null }
  const { address_line1_check: street, address_postal_code_check: zip, cvc_check: code } = checks
  const isAddressGiven = street !== null || zip !== null
  return {
    avs: isAddressGiven ? (AVS[street ?? 'none']?.[zip ?? 'none'] ?? 'unknown') : null,
    cvv: code === null ? null : (CVV.get(code) ?? 'unknown'),
  }
}
