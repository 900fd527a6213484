import type { Avs, CvvResult } from '../contract.js'

/** Results of Stripe's checks of a card. */
interface Checks {
  readonly address_line1_check: string | null
  readonly address_postal_code_check: string | null
  readonly cvc_check: string | null
}

/** Results by the check of the street, then by that of the postal code: all that Stripe documents. */
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

/** The bank's results for address and card code; null where they were omitted. */
export function checksOf(checks: Checks | null | undefined): { avs: Avs | null; cvv: CvvResult | null } {
  if (!checks) return { avs: null, cvv: null }
  const { address_line1_check: street, address_postal_code_check: zip, cvc_check: code } = checks
  const isAddressGiven = street !== null || zip !== null
  return {
    avs: isAddressGiven ? (AVS[street ?? 'none']?.[zip ?? 'none'] ?? 'unknown') : null,
    cvv: code === null ? null : (CVV.get(code) ?? 'unknown'),
  }
}
