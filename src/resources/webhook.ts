import { datetime, integer, json, many, oneOf, ref, text } from '../schema/field.js'
import { resource } from '../schema/resource.js'
import { CONTROL } from '../schema/seal-rule.js'
import { TRIGGERS } from './trigger.js'

/** Spec: "Events"; fields beyond `trigger`, `url` and `logs` are not shown there. */
export const webhook = resource({
  name: 'webhook',
  plural: 'webhooks',
  prefix: 'wh_',
  summary: 'An address that is notified of events.',
  fields: {
    trigger: oneOf(TRIGGERS, { required: true, doc: 'what it is notified of' }),
    url: text({ required: true, max: 2_000, doc: 'where the notification is sent' }),
    logs: many('webhook_log', {
      by: 'webhook_id',
      newestFirst: true,
      doc: 'webhook log objects, one per delivery attempt',
    }),
    description: text(),
    processing_id: ref('processing_account', {
      readonly: 'update',
      doc: 'only events of this processing account; null: of all that the key of the webhook may see',
    }),
    status: oneOf(['enabled', 'disabled'], { default: 'enabled', doc: 'whether it is notified' }),
    oauth_token_url: text({ max: 2_000, doc: 'address from which the token for notifications is fetched' }),
    oauth_client_id: text({
      max: 500,
      doc: 'client id with which the token is fetched (client credentials)',
    }),
    oauth_client_secret: text({ transient: true, max: 500, doc: 'its secret; never shown' }),
    secret: text({ readonly: true, transient: true, doc: 'signs the notifications; shown once' }),
    previous_secret_until: datetime({
      readonly: true,
      doc: 'until when notifications are signed with the previous secret as well',
    }),
  },
  internal: {
    /** The signing secret, sealed, and its predecessor. */
    sealed_secret: text({ vault: 'sealed' }),
    sealed_previous_secret: text({ vault: 'sealed' }),
    sealed_oauth_secret: text({ vault: 'sealed', boundTo: ['url', 'oauth_token_url', 'oauth_client_id'] }),
    /** The key that made the webhook, and the processing accounts that it was restricted to. */
    key_id: text(),
    processing_ids: json(),
  },
  ownership: [{ kind: 'names', column: 'processing_id' }],
  moves: 'nothing',
  least: 'owner',
  form: [
    { at: 'trigger', label: 'event' },
    { at: 'url', label: 'address that receives the events', example: 'https://shop.example.com/hooks' },
  ],
  seals: CONTROL,
  actions: {
    rotate_secret: {
      summary: 'make another signing secret; it is shown this once',
      moves: 'nothing',
      ends: 'when_said',
      input: {
        overlap: integer({
          min: 0,
          max: 2_592_000,
          doc: 'seconds for which the old secret signs as well; a day unless given',
        }),
      },
    },
  },
  example: { trigger: 'payment', url: 'https://example.com/payments' },
  columns: ['id', 'trigger', 'url', 'status', 'created_at'],
  indexes: [['trigger'], ['processing_id'], ['status']],
})
