import { email, flag, integer, oneOf, text } from '../schema/field.js'
import { LANGUAGES } from '../schema/language.js'
import { resource } from '../schema/resource.js'
import { CONTROL } from '../schema/seal-rule.js'

/** The server through which an environment sends mail. Beyond the spec. */
export const mailServer = resource({
  name: 'mail_server',
  plural: 'admin/mail_servers',
  prefix: 'ms_',
  summary: 'The server through which mail is sent; a new one replaces it, and without one mail is off.',
  fields: {
    host: text({ max: 253, doc: 'name of the SMTP server; not needed in test, which does not send mail' }),
    port: integer({ min: 1, max: 65_535, doc: '587 unless given, 465 with security tls' }),
    security: oneOf(['starttls', 'tls', 'none'], {
      default: 'starttls',
      doc: 'how the connection is encrypted; none is for a server on this machine only',
    }),
    username: text({ max: 320, doc: 'user name at the server; omitted: no sign-in' }),
    password: text({
      transient: true,
      max: 1_000,
      doc: 'password of the username; stored encrypted, and never shown',
    }),
    from_address: email({
      required: true,
      doc: 'the address that mail comes from, under the name of the merchant',
    }),
    reply_to: email({ doc: 'where answers go, unless the organization has an address for them' }),
    language: oneOf(LANGUAGES, {
      default: 'en',
      doc: 'language of mail, unless a link or the organization has another one',
    }),
    reminder_days: integer({
      min: 0,
      max: 60,
      doc: 'days before the due date on which payers are reminded; 3 unless given',
    }),
    has_password: flag({ readonly: true, unset: false, doc: 'whether a password is stored' }),
  },
  internal: {
    /** Encrypted password. It can be decrypted only with the server and the username for which it was entered. */
    sealed_password: text({ vault: 'sealed', boundTo: ['host', 'port', 'security', 'username'] }),
  },
  ownership: [],
  moves: 'nothing',
  least: 'owner',
  seals: CONTROL,
  actions: {
    test: {
      summary: 'send a message that says that mail works; in test it is kept, not sent',
      moves: 'nothing',
      input: { to: email({ required: true, doc: 'address of the recipient' }) },
    },
  },
  restricts: {
    POST: 'Live needs a host',
    PUT: 'Another server or username needs the password anew',
  },
  example: { host: 'smtp.example.com', from_address: 'billing@example.com' },
  admin: true,
  columns: ['id', 'host', 'port', 'security', 'username', 'from_address', 'created_at'],
  indexes: [],
})
