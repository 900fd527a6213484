import type { AuthorizationServer } from '../../domain/access/authorization-server.js'
import { unavailable } from '../../engine/core/request/errors.js'
import { RETRY_AFTER } from '../api/wire/maintenance.js'

/** Nobody is let in while the environment is in maintenance. Throws `ServiceUnavailable`. */
export async function expectOpen(oauth: AuthorizationServer): Promise<AuthorizationServer> {
  const told = await oauth.maintenance()
  if (told === null) return oauth
  throw unavailable(`The service is in maintenance: ${told === '' ? 'try again later' : told}`, RETRY_AFTER)
}
