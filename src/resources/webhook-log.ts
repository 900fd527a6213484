import { group, integer, one, oneOf, ref, text } from '../schema/field.js'
import { resource } from '../schema/resource.js'
import { TRIGGERS } from './trigger.js'

/** Spec: "Events", webhook log fields. */
export const webhookLog = resource({
  name: 'webhook_log',
  plural: 'webhook_logs',
  prefix: '',
  summary: 'One attempt to deliver a notification.',
  fields: {
    trigger: oneOf(TRIGGERS, { required: true, doc: 'trigger value' }),
    url: text({ required: true, max: 2_000, doc: 'the triggered URL' }),
    webhook_id: ref('webhook', { required: true, doc: 'the webhook' }),
    http_status: integer({
      required: true,
      zero: 'no answer',
      doc: 'HTTP status returned by the URL; 0: none is known, or it is not shown',
    }),
    oauth_status: integer({ nonDefault: true, doc: 'HTTP status of an OAuth request' }),
    triggered_on: group({
      id: text({ required: true, doc: 'id of the object that fired the trigger' }),
      object: text({ required: true, doc: 'its object name' }),
      value: text({ doc: 'trigger value, for example a transaction status such as processed' }),
    }),
    event_id: text({ doc: 'id of the event, sent as webhook-id; the same at every attempt' }),
    attempt: integer({ doc: 'which attempt it was, from 1' }),
    problem: text({ doc: 'why there was no status' }),
    webhook: one('webhook', { by: 'webhook_id', nonDefault: true, doc: 'the webhook object' }),
  },
  refuses: {
    POST: 'Deliveries are recorded by the service',
    PUT: 'Deliveries are recorded by the service',
    DELETE: 'Deliveries are recorded by the service',
  },
  ownership: [{ kind: 'parent', column: 'webhook_id', resource: 'webhook' }],
  moves: 'nothing',
  least: 'owner',
  unlogged: 'Attempts of the service to notify somebody, deleted after a while',
  seals: { unsealed: 'What receivers answered, deleted after a while; what was to be delivered is sealed' },
  columns: ['id', 'trigger', 'url', 'http_status', 'attempt', 'triggered_on[id]', 'problem', 'created_at'],
  indexes: [['webhook_id'], ['trigger'], ['http_status']],
})
