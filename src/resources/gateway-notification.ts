import { datetime, oneOf, text } from '../schema/field.js'
import { resource } from '../schema/resource.js'
import { RECORD } from '../schema/seal-rule.js'

/** A notification that a gateway sent on its own initiative. Beyond the spec. */
export const gatewayNotification = resource({
  name: 'gateway_notification',
  plural: 'admin/gateway_notifications',
  prefix: 'gn_',
  summary: 'Something a gateway said by itself, stored as it came and handled once.',
  fields: {
    gateway: text({ readonly: true, doc: 'the name of the gateway' }),
    event_id: text({ readonly: true, doc: "the gateway's id of the event" }),
    type: text({ readonly: true, doc: "the gateway's word for it" }),
    about: oneOf(['operation', 'dispute', 'settlement', 'nothing'], {
      readonly: true,
      doc: 'what is read again',
    }),
    reference: text({ readonly: true, doc: 'our reference, if the notification has it' }),
    gateway_id: text({ readonly: true, doc: "the gateway's id of what it is about" }),
    status: oneOf(['waiting', 'handled', 'given_up'], {
      readonly: true,
      doc: 'whether it was handled; it is given up after three days without an answer about it',
    }),
    problem: text({ readonly: true, doc: 'why it could not be handled at the last attempt' }),
    raw: text({
      readonly: true,
      nonDefault: true,
      max: 1_000_000,
      doc: 'as it came, without card data; of one that nobody has signed id, trigger and subject',
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
  unlogged: 'What a gateway has sent; what follows from it has lines',
  refuses: {
    POST: 'Notifications come from gateways',
    PUT: 'A notification is kept as it came',
    DELETE: 'A notification is kept as it came',
  },
  actions: {
    handle: {
      summary: 'handle it again: what it is about is read from the gateway once more',
      moves: 'nothing',
      input: {},
    },
  },
  admin: true,
  columns: ['id', 'gateway', 'type', 'about', 'gateway_id', 'status', 'problem', 'created_at'],
  indexes: [['status', 'created_at'], ['event_id']],
})
