import { datetime, json, oneOf, ref } from '../schema/field.js'
import { resource } from '../schema/resource.js'

/** Spec: "Authentication", client keys; their fields are not shown there. The id is the key itself. */
export const accessToken = resource({
  name: 'access_token',
  plural: 'access_tokens',
  prefix: '',
  summary: 'A publishable key for a page: it may only create payments.',
  fields: {
    type: oneOf(['client'], { required: true, readonly: 'update', doc: 'client' }),
    status: oneOf(['active', 'revoked'], { readonly: true, default: 'active' }),
    environ: oneOf(['test', 'live'], { readonly: true, doc: 'the environment that it reaches' }),
    intent: json({ readonly: 'update', doc: 'what the page is for, as {"customer_id":"acct_…"}' }),
    expires_at: datetime({ readonly: 'update', doc: 'from when it is refused' }),
    processing_id: ref('processing_account', {
      readonly: 'update',
      doc: 'the only account that it pays to; nothing: any that its maker reaches',
    }),
  },
  internal: {
    /** The key that made it, whose scope it inherits. */
    key_id: ref('api_key'),
  },
  refuses: { PUT: 'A client key is made and deleted, not changed' },
  belongs: [{ kind: 'names', column: 'processing_id' }],
  columns: ['id', 'type', 'status', 'environ', 'expires_at', 'created_at'],
  indexes: [['processing_id']],
})
