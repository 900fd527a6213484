import type { Holder } from '../../../domain/access/authenticate.js'
import { unavailable } from '../../../engine/core/request/errors.js'

/** Seconds after which a program that was turned away may ask again. */
export const RETRY_AFTER = 60

/** Turns away whoever may not manage an environment that is in maintenance. Throws `ServiceUnavailable`. */
export function refuseInMaintenance({ principal, maintenance }: Holder): void {
  if (maintenance === undefined || maintenance === null || principal.manage) return
  const told = maintenance === '' ? 'try again later' : maintenance
  throw unavailable(`The service is in maintenance: ${told}`, RETRY_AFTER)
}
