import { address, datetime, flag, integer, json, oneOf, text } from '../schema/field.js'
import { resource } from '../schema/resource.js'
import { CONTROL } from '../schema/seal-rule.js'

/** A connection to a processor. Beyond the spec: operators say who really moves the money. */
export const gateway = resource({
  name: 'gateway',
  plural: 'admin/gateways',
  prefix: 'gw_',
  summary: 'A connection to a processor, which really moves the money.',
  fields: {
    name: text({
      required: true,
      readonly: 'update',
      max: 40,
      doc: 'by which routes and transactions name it',
    }),
    kind: text({ required: true, readonly: 'update', max: 40, doc: 'the rail: peer, …' }),
    base_url: text({ max: 500, doc: 'where its requests go, where that is not fixed' }),
    merchant: text({ max: 100, doc: "the merchant's account there, where the credentials reach several" }),
    numbers: oneOf(['keep', 'tokenize'], {
      default: 'keep',
      doc: 'tokenize: card numbers are dropped as soon as the gateway has given a token',
    }),
    card_entry: flag({
      default: false,
      doc: 'whether card numbers may be typed into pages of this service (SAQ D); otherwise into fields of the gateway',
    }),
    credentials: json({ transient: true, doc: 'by name; sealed, and never shown' }),
    status: oneOf(['active', 'paused'], { readonly: true, doc: 'whether it takes new operations' }),
    since: datetime({
      readonly: 'update',
      doc: 'from when settlements, payouts and disputes are read (UTC); unless given, when it was connected',
    }),
    notifications_url: address({
      page: 'gateways',
      open: true,
      below: 'notifications',
      shows: 'url',
      doc: 'where it may tell what happens there',
    }),
    problem: text({
      readonly: true,
      doc: 'why it refuses its credentials, a merchant or a kind of method, or is not reached',
    }),
    circuit_opened_at: datetime({
      readonly: true,
      doc: 'since when no operations are sent to it, because they failed (UTC)',
    }),
    account: text({ readonly: true, doc: 'whose account it is and what it may do, as it said last' }),
    checked_at: datetime({ readonly: true, doc: 'when it was last tested' }),
    checks: json({
      readonly: true,
      doc: 'what that test has found: name, state (ok, failed, unavailable) and found of each check',
    }),
    verifies_notifications: flag({
      readonly: true,
      doc: 'whether the secret is kept without which none of its notifications is believed; null: it needs none',
    }),
    notified_at: datetime({
      readonly: true,
      doc: 'when a notification of it last came, to the minute (UTC)',
    }),
    settlements_problem: text({
      readonly: true,
      doc: 'why its settlements could not be read at the last attempt',
    }),
  },
  internal: {
    /** Opened only for the address and the merchant that they were given for. */
    sealed_credentials: text({ vault: 'sealed', boundTo: ['name', 'kind', 'base_url', 'merchant'] }),
    /** Positions up to which notifications and settlements were read. */
    notifications_cursor: text(),
    settlements_cursor: text(),
    /** Time of the next reading of settlements, and the end of the payments that were searched for in them. */
    settlements_due_at: datetime(),
    settlements_compared_until: datetime(),
    /** Number of times that its circuits were closed: each process opens its connection anew then. */
    circuits_closed: integer(),
  },
  ownership: [],
  moves: { create: 'nothing', update: 'redirect', delete: 'redirect' },
  // What is noted of its own accord is not sealed: the change would take over what else stands in a row.
  seals: {
    ...CONTROL,
    except: [
      'problem',
      'circuit_opened_at',
      'circuits_closed',
      'account',
      'checked_at',
      'checks',
      'notified_at',
      'verifies_notifications',
      'settlements_problem',
      'settlements_due_at',
      'modified_at',
    ],
  },
  least: 'owner',
  actions: {
    test: { summary: 'check at the gateway what live payments need of it', moves: 'nothing', input: {} },
    endpoint: {
      summary: 'create the endpoint for its notifications at the gateway, and keep the secret of it',
      moves: 'nothing',
      input: {},
    },
    remove_endpoint: {
      summary: 'remove the endpoint for its notifications at the gateway',
      moves: 'nothing',
      input: {},
    },
    pause: {
      summary: 'stop new operations at once; what is under way is still followed',
      moves: 'nothing',
      input: {},
    },
    resume: { summary: 'take new operations again', moves: 'nothing', input: {} },
  },
  restricts: {
    POST: 'Its kind, address and credentials have to fit each other and the environment',
    PUT: 'Its kind, address and credentials have to fit each other and the environment',
    DELETE: 'A gateway with operations under way is not removed',
  },
  example: {
    name: 'up',
    kind: 'peer',
    base_url: 'https://pay.example.com',
    credentials: { secret_key: 'test_secret_key_of_the_peer' },
  },
  admin: true,
  columns: ['id', 'name', 'kind', 'status', 'base_url', 'problem', 'created_at'],
  indexes: [['name']],
})
