import { email, flag, integer, json, money, oneOf, text } from '../schema/field.js'
import { resource } from '../schema/resource.js'
import { ROLES } from '../schema/role.js'
import { CONTROL } from '../schema/seal-rule.js'

/** A person who works with an environment: at the terminal, over HTTP or in the console. Beyond the spec. */
export const operator = resource({
  name: 'operator',
  plural: 'admin/operators',
  prefix: 'oper_',
  summary: 'A person who works with an environment, and what they may do.',
  fields: {
    name: text({ required: true, max: 200, doc: 'their name' }),
    email: email({ required: true, doc: 'address that they sign in with; each has one operator' }),
    role: oneOf(ROLES, {
      required: true,
      doc: 'viewer reads; cashier takes and refunds payments; manager does all with money; owner does all',
    }),
    processing_ids: json({
      idsOf: 'processing_account',
      logged: true,
      doc: 'processing accounts that they are narrowed to; null: all of the environment',
    }),
    limit_each: money({ sign: 'positive', doc: 'the most that a cashier moves by one request' }),
    limit_day: money({ sign: 'positive', doc: 'the most that a cashier moves in a day' }),
    login: text({ max: 64, doc: 'their login on this machine, by which the terminal knows them' }),
    uid: integer({ min: 0, doc: 'user id of that login; the terminal looks it up' }),
    password: text({ transient: true, max: 200, doc: 'at least 10 characters; never shown' }),
    status: oneOf(['active', 'disabled'], { default: 'active', doc: 'whether they may do anything' }),
    has_password: flag({ readonly: true, unset: false, doc: 'whether a password is set' }),
    has_second_factor: flag({
      readonly: true,
      unset: false,
      doc: 'whether signing in needs a code of an app',
    }),
  },
  internal: {
    /** scrypt, with its salt and cost. */
    password_hash: text(),
    /** Encrypted secret of one-time codes. */
    sealed_totp: text({ vault: 'sealed', boundTo: ['email'] }),
    /** Time step of the last accepted code, so that none is accepted twice. */
    totp_step: integer(),
  },
  ownership: [],
  moves: 'nothing',
  least: 'owner',
  seals: CONTROL,
  restricts: {
    POST: 'An e-mail address and a login have one operator each',
    PUT: 'An e-mail address and a login have one operator each',
  },
  example: { name: 'Ada Park', email: 'ada@example.com', role: 'cashier', limit_each: 200 },
  admin: true,
  form: [
    { at: 'name', label: 'their name', example: 'Ada Park' },
    { at: 'email', label: 'e-mail that they sign in with', example: 'ada@example.com' },
    { at: 'role', label: 'what they may do', example: 'cashier' },
    { at: 'limit_each', label: 'the most that a cashier moves at once', example: '200' },
    { at: 'limit_day', label: 'the most that a cashier moves in a day', example: '1000' },
    { at: 'login', label: 'their login on this machine' },
  ],
  reference: 'email',
  columns: ['id', 'name', 'email', 'role', 'status', 'limit_each', 'limit_day'],
  indexes: [['email'], ['uid']],
})
