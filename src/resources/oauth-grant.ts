import { datetime, json, oneOf, ref, text } from '../schema/field.js'
import { resource } from '../schema/resource.js'
import { CONTROL } from '../schema/seal-rule.js'

/** Access that a user granted to an application. Spec: "OAuth 2.0 access to processing accounts". */
export const oauthGrant = resource({
  name: 'oauth_grant',
  plural: 'admin/oauth_grants',
  prefix: 'grant_',
  summary: 'Access to processing accounts that a user granted to an application.',
  fields: {
    client_id: ref('org', { readonly: true, doc: 'the organization of the application' }),
    org_id: ref('org', { readonly: true, doc: 'the organization whose accounts they are' }),
    user_id: ref('oauth_user', { readonly: true, doc: 'who granted it' }),
    scope: oneOf(['org', 'processing'], {
      readonly: true,
      doc: 'org: every processing account of the organization; processing: those in processing_ids',
    }),
    processing_ids: json({
      logged: true,
      readonly: true,
      doc: 'the processing accounts of the scope processing',
    }),
    status: oneOf(['pending', 'active', 'revoked'], {
      readonly: true,
      doc: 'pending: its code was not exchanged yet',
    }),
    redirect_uri: text({ readonly: true, doc: 'address to which the code was sent; an origin for a pop-up' }),
  },
  internal: {
    code_hash: text(),
    code_expires_at: datetime(),
    /** PKCE: the SHA-256 of the verifier, in base64url; null if none was sent. */
    code_challenge: text(),
  },
  refuses: {
    POST: 'Access is granted by a user in a browser',
    PUT: 'Access is granted and revoked, not changed',
  },
  ownership: [],
  moves: 'nothing',
  least: 'owner',
  seals: CONTROL,
  admin: true,
  columns: ['id', 'client_id', 'org_id', 'scope', 'status', 'created_at'],
  indexes: [['code_hash'], ['org_id', 'created_at'], ['client_id', 'created_at'], ['user_id']],
})
