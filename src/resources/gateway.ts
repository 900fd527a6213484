import { address, datetime, flag, integer, json, oneOf, text } from '../schema/field.js'
import { resource } from '../schema/resource.js'
import { CONTROL } from '../schema/seal-rule.js'

/** A connection to a processor. Beyond the spec: operators choose which processor moves the money. */
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
      doc: 'name that routes and transactions use for it',
    }),
    kind: text({ required: true, readonly: 'update', max: 40, doc: 'the rail: peer, …' }),
    base_url: text({ max: 500, doc: 'address of its requests, if its kind has no fixed one' }),
    merchant: text({
      max: 100,
      doc: "the merchant's account at the gateway, if the credentials reach several",
    }),
    numbers: oneOf(['keep', 'tokenize'], {
      default: 'keep',
      doc: 'tokenize: card numbers are dropped as soon as the gateway has given a token',
    }),
    card_entry: flag({
      default: false,
      doc: 'whether card numbers may be typed into pages of this service (SAQ D); otherwise into fields of the gateway',
    }),
    credentials: json({ transient: true, doc: 'its secrets by name; stored encrypted, and never shown' }),
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
      doc: 'address to which the gateway sends notifications',
    }),
    problem: text({
      readonly: true,
      doc: 'why it refuses its credentials, a merchant or a kind of method, or is not reached',
    }),
    circuit_opened_at: datetime({
      readonly: true,
      doc: 'since when no operations are sent to it, because they failed (UTC)',
    }),
    account: text({
      readonly: true,
      doc: 'whose account it is and what it may do, as the gateway reported last',
    }),
    checked_at: datetime({ readonly: true, doc: 'when it was last tested' }),
    checks: json({
      readonly: true,
      doc: 'results of that test: name, state (ok, failed, unavailable) and found of each check',
    }),
    verifies_notifications: flag({
      readonly: true,
      doc: 'whether the secret is stored that its notifications are verified with; null: it needs none',
    }),
    notified_at: datetime({
      readonly: true,
      doc: 'when its last notification came, to the minute (UTC)',
    }),
    settlements_problem: text({
      readonly: true,
      doc: 'why its settlements could not be read at the last attempt',
    }),
  },
  internal: {
    /**
     * Encrypted credentials. They can be decrypted only with the name, kind, address and merchant for which they were
     * entered.
     */
    sealed_credentials: text({ vault: 'sealed', boundTo: ['name', 'kind', 'base_url', 'merchant'] }),
    /** Positions up to which notifications and settlements were read. */
    notifications_cursor: text(),
    settlements_cursor: text(),
    /** Time of the next reading of settlements, and the time up to which payments were compared with them. */
    settlements_due_at: datetime(),
    settlements_compared_until: datetime(),
    /**
     * Number of times that circuits of the gateway were closed. When it changes, each process opens a new connection.
     */
    circuits_closed: integer(),
  },
  ownership: [],
  moves: { create: 'nothing', update: 'redirect', delete: 'redirect' },
  // Columns that the service updates by itself are not sealed. Each update would otherwise seal the row anew, and
  // confirm a forged value in it.
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
    test: {
      summary: 'check at the gateway that it has all that live payments need',
      moves: 'nothing',
      input: {},
    },
    endpoint: {
      summary: 'create the endpoint for its notifications at the gateway, and store its secret',
      moves: 'nothing',
      input: {},
    },
    remove_endpoint: {
      summary: 'remove the endpoint for its notifications at the gateway',
      moves: 'nothing',
      input: {},
    },
    pause: {
      summary: 'stop new operations at once; outcomes of earlier ones are still read',
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
