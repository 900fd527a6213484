import type { Avs, CvvResult } from '../contract.js'

/** Our result of the address check, by Authorize.Net's documented code. */
const AVS: ReadonlyMap<string, Avs> = new Map(
  Object.entries({
    A: 'street',
    // The request has no address.
    B: 'unknown',
    // The check failed.
    E: 'unknown',
    // The bank is outside the United States.
    G: 'unknown',
    N: 'no_match',
    // Not applicable: bank accounts, refunds, voids, captures.
    P: 'unknown',
    // The check is not available at the moment.
    R: 'unknown',
    // The bank does not support the check.
    S: 'unknown',
    // The bank has no address on record.
    U: 'unknown',
    // The nine-digit postal code matches.
    W: 'zip',
    // The street and the nine-digit postal code match.
    X: 'street_and_zip',
    Y: 'street_and_zip',
    Z: 'zip',
  } as const),
)

/** Our result of the card code check, by Authorize.Net's documented code. */
const CVV: ReadonlyMap<string, CvvResult> = new Map(
  Object.entries({
    M: 'match',
    N: 'no_match',
    P: 'not_checked',
    // The card has a code, but the request did not contain one.
    S: 'not_checked',
    // The bank has no keys to check it.
    U: 'unknown',
  } as const),
)

/** Result of the address check; null if there was none. */
export function avsOf(code: unknown): Avs | null {
  return typeof code === 'string' ? (AVS.get(code) ?? null) : null
}

/** Result of the card code check; null if there was none. */
export function cvvOf(code: unknown): CvvResult | null {
  return typeof code === 'string' ? (CVV.get(code) ?? null) : null
}
