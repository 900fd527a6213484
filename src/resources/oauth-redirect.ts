import { oneOf, ref, text } from '../schema/field.js'
import { resource } from '../schema/resource.js'
import { CONTROL } from '../schema/seal-rule.js'

/**
 * Address to which an application's codes may be sent. Spec: "OAuth 2.0 access to processing accounts", Connect
 * parameters.
 */
export const oauthRedirect = resource({
  name: 'oauth_redirect',
  plural: 'admin/oauth_redirects',
  prefix: 'rdir_',
  summary: 'An address that the application of an organization receives authorization codes at.',
  fields: {
    org_id: ref('org', { required: true, readonly: 'update', doc: 'the organization of the application' }),
    kind: oneOf(['redirect', 'origin'], {
      default: 'redirect',
      readonly: 'update',
      doc: 'redirect: an address that the browser is sent to; origin: that of pages that open the pop-up',
    }),
    uri: text({
      required: true,
      readonly: 'update',
      doc: 'as in https://app.example.com/done (an origin: https://app.example.com), matched exactly; on loopback any port',
    }),
  },
  refuses: { PUT: 'An address is registered and removed, not changed' },
  restricts: { POST: 'An address is registered once, with https unless it is on loopback' },
  example: { org_id: 'acct_0V8c', uri: 'https://app.example.com/done' },
  ownership: [],
  moves: 'nothing',
  least: 'owner',
  seals: CONTROL,
  admin: true,
  columns: ['id', 'org_id', 'kind', 'uri', 'created_at'],
  indexes: [['org_id']],
})
