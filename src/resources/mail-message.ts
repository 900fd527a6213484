import { address, datetime, email, integer, json, oneOf, ref, text } from '../schema/field.js'
import { LANGUAGES } from '../schema/language.js'
import { resource } from '../schema/resource.js'
import { RECORD } from '../schema/seal-rule.js'

/**
 * Kinds of mail that an organization switches on and off. Mail about disputes goes to merchants; all other kinds go to
 * payers.
 */
export const MAIL_KINDS = [
  'receipt',
  'invoice',
  'reminder',
  'failed_payment',
  'expiring_card',
  'payment_link',
  'dispute',
] as const

export type MailKind = (typeof MAIL_KINDS)[number]

/** A message to a payer. Beyond the spec. */
export const mailMessage = resource({
  name: 'mail_message',
  plural: 'admin/mail_messages',
  prefix: 'mail_',
  summary: 'A message to a payer, and what became of it.',
  fields: {
    kind: oneOf([...MAIL_KINDS, 'test'], { readonly: true, doc: 'kind of the message' }),
    status: oneOf(['queued', 'sent', 'kept', 'failed', 'dropped'], {
      readonly: true,
      doc: 'kept: not sent, as test does not send mail; failed: given up; dropped: not needed any more',
    }),
    email: email({ readonly: true, doc: 'address of the recipient' }),
    subject: text({ readonly: true, doc: 'its subject; null until it is written' }),
    language: oneOf(LANGUAGES, { readonly: true, doc: 'its language' }),
    about_id: text({
      readonly: true,
      doc: 'id of the receipt, invoice, payment method, notification or dispute that it is about',
    }),
    processing_id: ref('processing_account', { readonly: true, doc: 'on whose behalf it is sent' }),
    attempts: integer({ readonly: true, doc: 'number of attempts to send it' }),
    problem: text({ readonly: true, doc: 'why it was not sent at the last attempt' }),
    sent_at: datetime({ readonly: true, doc: 'when the mail server accepted it (UTC)' }),
    url: address({ page: 'mail', shows: 'url', doc: 'the page that shows it; needs no key' }),
    unsubscribe_url: address({
      page: 'unsubscribe',
      shows: 'url',
      nonDefault: true,
      doc: 'page on which the recipient declines more reminders',
    }),
    content: json({ readonly: true, nonDefault: true, doc: 'data from which its text and HTML are made' }),
  },
  internal: {
    /** Kind and object: there is never a second message with the same key. */
    key: text(),
    /** Keyed hash of the content and the recipient. */
    proof: text(),
    /**
     * Time of the next attempt, in milliseconds since 1970. During an attempt: the time from which another
     * process may try.
     */
    due_at: integer(),
    /** Id of the run that makes an attempt. */
    lease: text(),
  },
  ownership: [],
  moves: 'nothing',
  least: 'manager',
  unlogged: 'Attempts of the service to send mail, which follow from changes that have lines',
  seals: { ...RECORD, except: ['due_at', 'lease', 'attempts', 'problem', 'modified_at'] },
  refuses: {
    POST: 'Messages follow from what happens',
    PUT: 'A message is kept as it is',
    DELETE: 'A message is kept as it is',
  },
  actions: {
    retry: {
      summary: 'send a message again that was given up or dropped',
      moves: 'nothing',
      input: {},
    },
  },
  admin: true,
  columns: ['id', 'kind', 'status', 'email', 'subject', 'problem', 'created_at'],
  indexes: [['status', 'created_at'], ['key'], ['about_id']],
})
