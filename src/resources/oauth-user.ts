import { email, ref, text } from '../schema/field.js'
import { resource } from '../schema/resource.js'
import { CONTROL } from '../schema/seal-rule.js'

/**
 * A user who signs in for an organization and grants access to its accounts. Spec: "OAuth 2.0 access to processing
 * accounts".
 */
export const oauthUser = resource({
  name: 'oauth_user',
  plural: 'admin/oauth_users',
  prefix: 'user_',
  summary: 'A person who signs in for an organization and grants access to its processing accounts.',
  fields: {
    org_id: ref('org', { required: true, readonly: 'update', doc: 'the organization' }),
    email: email({ required: true, doc: 'address that they sign in with; each has one user' }),
    name: text({ doc: 'their name' }),
    password: text({ required: true, transient: true, max: 200, doc: 'at least 10 characters; never shown' }),
  },
  internal: {
    /** scrypt, with its salt and cost. */
    password_hash: text(),
  },
  ownership: [],
  moves: 'nothing',
  least: 'owner',
  seals: CONTROL,
  restricts: {
    POST: 'An e-mail address has one user',
    PUT: 'An e-mail address has one user',
  },
  example: {
    org_id: 'acct_0V8c',
    email: 'grace@example.com',
    name: 'Grace Park',
    password: 'a long sentence',
  },
  admin: true,
  columns: ['id', 'email', 'name', 'org_id', 'created_at'],
  indexes: [['email'], ['org_id']],
})
