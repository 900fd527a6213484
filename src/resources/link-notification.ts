import { datetime, email, oneOf, phone, ref, text } from '../schema/field.js'
import { resource } from '../schema/resource.js'
import { RECORD } from '../schema/seal-rule.js'

/** A payment link that is sent to somebody. Beyond the spec, which shows no fields of notifications. */
export const linkNotification = resource({
  name: 'link_notification',
  plural: 'link_notifications',
  prefix: 'lntf_',
  summary: 'A payment link that is sent to somebody, and what became of it.',
  fields: {
    payment_link_id: ref('payment_link', {
      required: true,
      readonly: 'update',
      doc: 'the payment link that is sent',
    }),
    email: email({ readonly: 'update', doc: 'address to which it is mailed' }),
    phone_number: phone({
      readonly: 'update',
      doc: 'stored only: the service sends no text messages',
    }),
    status: oneOf(['queued', 'sent', 'kept', 'failed', 'dropped', 'not_sent'], {
      readonly: true,
      doc: 'kept: not sent, as test does not send mail; failed: given up; dropped: not needed any more; not_sent: see problem',
    }),
    problem: text({ readonly: true, doc: 'why it cannot be sent, or was not sent at the last attempt' }),
    sent_at: datetime({ readonly: true, doc: 'when the mail server accepted it (UTC)' }),
  },
  ownership: [{ kind: 'parent', column: 'payment_link_id', resource: 'payment_link' }],
  moves: 'nothing',
  least: 'cashier',
  seals: RECORD,
  refuses: {
    PUT: 'A notification is kept as it is; make another one to send the link again',
    DELETE: 'A notification is kept as it is',
  },
  form: [
    { at: 'payment_link_id', label: 'payment link that is sent' },
    { at: 'email', label: 'email address', needed: { unless: ['phone_number'] } },
    { at: 'phone_number', label: 'telephone number' },
  ],
  example: { payment_link_id: 'plnk_…', email: 'ada@example.com' },
  columns: ['id', 'payment_link_id', 'email', 'phone_number', 'status', 'problem', 'created_at'],
  indexes: [['payment_link_id']],
})
