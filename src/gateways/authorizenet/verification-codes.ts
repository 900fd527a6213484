import type { Avs, CvvResult } from '../contract.js'

/** Documented answers of the address verification. */
const AVS: ReadonlyMap<string, Avs> = new Map(
  Object.entries({
    A: 'street',
    // The address is missing.
    B: 'unknown',
    // The check failed.
    E: 'unknown',
    // The bank is not of the United States.
    G: 'unknown',
    N: 'no_match',
    // Does not apply: bank accounts, refunds, voids, captures.
    P: 'unknown',
    // The check is not available at the moment.
    R: 'unknown',
    // The bank does not verify.
    S: 'unknown',
    // The bank does not know the address.
    U: 'unknown',
    // Nine digits of the postal code.
    W: 'zip',
    // Street and nine digits.
    X: 'street_and_zip',
    Y: 'street_and_zip',
    Z: 'zip',
  } as const),
)

/** Documented answers about the card code. */
const CVV: ReadonlyMap<string, CvvResult> = new Map(
  Object.entries({
    M: 'match',
    N: 'no_match',
    P: 'not_checked',
    // The card has a code, and the request has none.
    S: 'not_checked',
    // The bank has no keys to check it.
    U: 'unknown',
  } as const),
)

/** Result of the address verification; null where there was none. */
export function avsOf(code: unknown): Avs | null {
  return typeof code === 'string' ? (AVS.get(code) ?? null) : null
}

/** Result of the check of the card code; null where there was none. */
export function cvvOf(code: unknown): CvvResult | null {
  return typeof code === 'string' ? (CVV.get(code) ?? null) : null
}
