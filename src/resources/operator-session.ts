import { datetime, oneOf, ref, text } from '../schema/field.js'
import { resource } from '../schema/resource.js'
import { CONTROL } from '../schema/seal-rule.js'

/** A browser in which an operator is signed in to the console. Beyond the spec. */
export const operatorSession = resource({
  name: 'operator_session',
  plural: 'admin/operator_sessions',
  prefix: 'sess_',
  summary: 'A browser in which an operator is signed in to the console; deleting it signs them out.',
  fields: {
    operator_id: ref('operator', { readonly: true, doc: 'who is signed in' }),
    proof: oneOf(['code', 'password', 'second_factor'], {
      readonly: true,
      doc: 'how they signed in: by a code of the terminal, a password, or a password and a second factor',
    }),
    browser: text({ readonly: true, doc: 'name that the browser reports' }),
    address: text({ readonly: true, doc: 'the address that they signed in from' }),
    expires_at: datetime({ readonly: true, doc: 'when it ends at the latest' }),
    seen_at: datetime({ readonly: true, doc: 'when it was last used, to the minute' }),
    confirmed_at: datetime({ readonly: true, doc: 'when they last confirmed who they are' }),
  },
  internal: {
    /** Keyed hash of the secret in the cookie. */
    secret_hash: text(),
  },
  ownership: [],
  moves: 'nothing',
  least: 'owner',
  seals: CONTROL,
  refuses: {
    POST: 'Sessions begin in the console: payctl console',
    PUT: 'Sessions change as they are used',
  },
  admin: true,
  columns: ['id', 'operator_id', 'proof', 'browser', 'address', 'seen_at', 'expires_at'],
  indexes: [['operator_id']],
})
