import type { Holder } from '../../domain/access/authenticate.js'
import type { AuthorizationServer } from '../../domain/access/authorization-server.js'
import { ApiError, unavailable } from '../../engine/core/request/api-error.js'

/** The `WWW-Authenticate` header of a 401: how a client may authenticate. */
export const CHALLENGE = 'Basic realm="payctl", charset="UTF-8", Bearer realm="payctl"'

/** Seconds after which a client that was refused during maintenance may try again. */
const MAINTENANCE_RETRY_AFTER = 60

/**
 * The credential of a request: a key as Basic user name with an empty password, or a Bearer token. Throws
 * `Unauthorized`, whose message never contains the credential. Spec: "Authentication".
 */
export function credentialOf(authorization: string | undefined): string {
  const [, scheme, value] = /^(\S+) +(\S+)\s*$/.exec(authorization ?? '') ?? []
  const credential = scheme && value ? readCredential(scheme.toLowerCase(), value) : undefined
  if (credential) return credential
  const problem =
    authorization === undefined ? 'A secret key is required' : 'The Authorization header is not understood'
  throw unauthorized(`${problem}: send it as the user name of Basic authentication, with an empty password`)
}

function readCredential(scheme: string, value: string): string | undefined {
  if (scheme === 'bearer') return value
  if (scheme !== 'basic') return undefined
  const [user, ...password] = Buffer.from(value, 'base64').toString('utf8').split(':')
  return password.join(':') === '' ? user : undefined
}

export function unauthorized(description: string): ApiError {
  return new ApiError('Unauthorized', description, {}, { 'WWW-Authenticate': CHALLENGE })
}

/** Refuses keys without `manage` during maintenance. Throws `ServiceUnavailable`. */
export function refuseInMaintenance({ principal, maintenance = null }: Holder): void {
  if (maintenance !== null && !principal.manage) throw inMaintenance(maintenance)
}

/** Refuses to grant access during maintenance. Throws `ServiceUnavailable`. */
export async function expectOpen(oauth: AuthorizationServer): Promise<AuthorizationServer> {
  const maintenance = await oauth.maintenance()
  if (maintenance !== null) throw inMaintenance(maintenance)
  return oauth
}

function inMaintenance(message: string): ApiError {
  const text = message === '' ? 'try again later' : message
  return unavailable(`The service is in maintenance: ${text}`, MAINTENANCE_RETRY_AFTER)
}
