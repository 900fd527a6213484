import { datetime, flag, integer, json, oneOf, ref, text } from '../schema/field.js'
import { resource } from '../schema/resource.js'
import { CONTROL } from '../schema/seal-rule.js'

/** A secret key of an environment. Beyond the spec: operators make, rotate and revoke keys. */
export const apiKey = resource({
  name: 'api_key',
  plural: 'admin/keys',
  prefix: 'key_',
  summary: 'A secret key that programs authenticate with.',
  fields: {
    description: text({ doc: 'what the key is for' }),
    secret_key: text({
      readonly: true,
      transient: true,
      doc: 'the key itself; shown once, when it is created',
    }),
    hint: text({ readonly: true, doc: 'the first and last characters of the key' }),
    org_id: ref('org', {
      readonly: 'update',
      doc: "the organization that it exchanges OAuth codes for; the environment's own (its first) unless given",
    }),
    manage: flag({ readonly: 'update', default: false, doc: 'may do what operators do' }),
    processing_ids: json({
      idsOf: 'processing_account',
      logged: true,
      readonly: 'update',
      doc: 'processing accounts that the key is narrowed to; null: all of its environment',
    }),
    grants: json({
      logged: true,
      readonly: 'update',
      doc: 'HTTP methods that the key may use, by path segment, as {"transactions":["GET","POST"]}; null: all',
    }),
    operator_id: ref('operator', {
      readonly: 'update',
      doc: 'the operator that it stands for: it may do what their role may',
    }),
    status: oneOf(['active', 'revoked'], { readonly: true, doc: 'whether the key is accepted' }),
    expires_at: datetime({ doc: 'from when the key is refused' }),
    rotated_from_id: text({ readonly: true, doc: 'the key that this one replaces' }),
  },
  internal: {
    key_hash: text(),
  },
  ownership: [],
  moves: 'nothing',
  least: 'owner',
  seals: CONTROL,
  actions: {
    rotate: {
      summary: 'make a key of the same permissions that replaces it',
      moves: 'nothing',
      ends: 'at_once',
      input: {
        overlap: integer({
          min: 0,
          max: 2_592_000,
          doc: 'seconds until the old key ends; at once unless given',
        }),
        expires_at: datetime({ doc: 'when the old key ends, instead' }),
      },
    },
  },
  admin: true,
  columns: ['id', 'description', 'hint', 'status', 'manage', 'expires_at', 'created_at'],
  indexes: [['key_hash']],
})
