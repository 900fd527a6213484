import { datetime, oneOf, text } from '../schema/field.js'
import { resource } from '../schema/resource.js'
import { RECORD } from '../schema/seal-rule.js'

/** A notification that a gateway sent on its own initiative. Beyond the spec. */
export const gatewayNotification = resource({
  name: 'gateway_notification',
  plural: 'admin/gateway_notifications',
  prefix: 'gn_',
  summary: 'A notification that a gateway sent, stored as it came and handled once.',
  fields: {
    gateway: text({ readonly: true, doc: 'the name of the gateway' }),
    event_id: text({ readonly: true, doc: "the gateway's id of the event" }),
    type: text({ readonly: true, doc: "the gateway's name for the kind of event" }),
    about: oneOf(['operation', 'dispute', 'settlement', 'nothing'], {
      readonly: true,
      doc: 'what is read again from the gateway',
    }),
    reference: text({ readonly: true, doc: 'our reference, if the notification has it' }),
    gateway_id: text({ readonly: true, doc: "the gateway's id of the operation, dispute or settlement" }),
    status: oneOf(['waiting', 'handled', 'given_up'], {
      readonly: true,
      doc: 'whether it was handled; given_up: the gateway has not answered a query about it for three days',
    }),
    problem: text({ readonly: true, doc: 'why it could not be handled at the last attempt' }),
    raw: text({
      readonly: true,
      nonDefault: true,
      max: 1_000_000,
      doc: 'content as it came, without card data; of an unsigned notification only id, trigger and subject',
    }),
    handled_at: datetime({
      readonly: true,
      doc: 'when it was handled or given up (UTC); it is deleted 90 days later',
    }),
  },
  ownership: [],
  moves: 'nothing',
  least: 'manager',
  seals: RECORD,
  unlogged: 'Sent by a gateway; the changes that follow from it have lines',
  refuses: {
    POST: 'Notifications come from gateways',
    PUT: 'A notification is kept as it came',
    DELETE: 'A notification is kept as it came',
  },
  actions: {
    handle: {
      summary: 'handle a notification again: its subject is read from the gateway once more',
      moves: 'nothing',
      input: {},
    },
  },
  admin: true,
  columns: ['id', 'gateway', 'type', 'about', 'gateway_id', 'status', 'problem', 'created_at'],
  indexes: [['status', 'created_at'], ['event_id']],
})
