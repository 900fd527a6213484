import type { JsonObject } from '../../../schema/json.js'

/** The error codes of RFC 6749, section 5.2, and 4.1.2.1. */
export type OauthError =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'access_denied'

/** Why no token is given. An answer, not an error thrown: what it revoked on the way must stand. */
export interface OauthRefusal {
  readonly kind: 'refused'
  readonly error: OauthError
  readonly description: string
  readonly details: JsonObject
}

export function oauthRefusal(error: OauthError, description: string, details: JsonObject = {}): OauthRefusal {
  return { kind: 'refused', error, description, details }
}
