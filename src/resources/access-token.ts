import { datetime, json, oneOf, ref } from '../schema/field.js'
import { resource } from '../schema/resource.js'
import { CONTROL } from '../schema/seal-rule.js'

/** Spec: "Authentication", client keys; their fields are not shown there. The id is the key itself. */
export const accessToken = resource({
  name: 'access_token',
  plural: 'access_tokens',
  prefix: '',
  summary: 'A publishable key for a page: it only creates payments, or payment methods of a customer.',
  fields: {
    type: oneOf(['client'], { default: 'client', readonly: 'update', doc: 'a key for a page' }),
    status: oneOf(['active'], { readonly: true, doc: 'active until it is deleted' }),
    environ: oneOf(['test', 'live'], { readonly: true, doc: 'the environment that it reaches' }),
    intent: json({
      readonly: 'update',
      doc: 'attributes that the key fixes for what it creates: as {"amount":10,"customer_id":"acct_…"}, or inside of a kind of page, as {"payment_form":{"payment":{"amount":10}}}',
    }),
    origins: json({
      readonly: 'update',
      doc: 'origins of the pages that may use it, as ["https://shop.example"]; null: any',
    }),
    expires_at: datetime({ readonly: 'update', doc: 'when the key expires' }),
    processing_id: ref('processing_account', {
      readonly: 'update',
      doc: 'the only processing account that it pays to; null: any that the key or operator that created it may use',
    }),
  },
  internal: {
    /**
     * Secret key that created this client key and limits its permissions and lifetime; null if an operator
     * created it.
     */
    key_id: ref('api_key'),
    /**
     * Attributes that the intent fixes, under the API path of the objects that the key creates; null if the key
     * creates no objects.
     */
    fixed: json(),
  },
  refuses: { PUT: 'A client key is made and deleted, not changed' },
  ownership: [{ kind: 'names', column: 'processing_id' }],
  moves: 'nothing',
  least: 'manager',
  seals: CONTROL,
  example: { type: 'client', intent: { amount: 29.99, description: 'A book' } },
  columns: ['id', 'type', 'status', 'environ', 'expires_at', 'created_at'],
  indexes: [['processing_id']],
})
