import { ApiError } from '../../../engine/core/request/errors.js'

/** What a client may answer a 401 with. */
export const CHALLENGE = 'Basic realm="payctl", charset="UTF-8", Bearer realm="payctl"'

/**
 * The credential of a request: a key as Basic user name with an empty password, or a Bearer token. Throws
 * `Unauthorized`, which never repeats what was sent. Spec: "Authentication".
 */
export function credentialOf(authorization: string | undefined): string {
  const [, scheme, value] = /^(\S+) +(\S+)\s*$/.exec(authorization ?? '') ?? []
  const credential = scheme && value ? read(scheme.toLowerCase(), value) : undefined
  if (credential) return credential
  const asked =
    authorization === undefined ? 'A secret key is required' : 'The Authorization header is not understood'
  throw unauthorized(`${asked}: send it as the user name of Basic authentication, with an empty password`)
}

export function unauthorized(description: string): ApiError {
  return new ApiError('Unauthorized', description, {}, { 'WWW-Authenticate': CHALLENGE })
}

function read(scheme: string, value: string): string | undefined {
  if (scheme === 'bearer') return value
  if (scheme !== 'basic') return undefined
  const [user, ...password] = Buffer.from(value, 'base64').toString('utf8').split(':')
  return password.join(':') === '' ? user : undefined
}
