import type { JsonObject } from '../../../schema/json.js'

/** The error codes of RFC 6749, section 5.2, and 4.1.2.1. */
export type OauthError =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'access_denied'

/**
 * A refused request for tokens. It is a value, not a thrown error, so that revocations made on the way are committed.
 */
export interface OauthRefusal {
  readonly kind: 'refused'
  readonly error: OauthError
  readonly description: string
  readonly details: JsonObject
}

export function oauthRefusal(error: OauthError, description: string, details: JsonObject = {}): OauthRefusal {
  return { kind: 'refused', error, description, details }
}
