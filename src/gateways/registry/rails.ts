import type { Rail, RailEffects } from '../contract.js'
import type { FieldsOrigins } from '../payer-fields.js'
import { STRIPE_ORIGINS } from '../stripe-origins.js'

/** A secret that a rail's credentials consist of. */
export interface RailSecret {
  /** Name in commands and HTTP: `secret_key`. */
  readonly name: string
  readonly doc: string
  readonly required?: true
  /** Every caller may see it: a login, not a key. */
  readonly isPublic?: true
  /** Notifications are believed only with it. */
  readonly verifies?: true
  /** Prefixes of the secrets of each mode; any by default. */
  readonly begins?: { readonly test: readonly string[]; readonly live: readonly string[] }
}

/** Description of a rail for commands and rules, before it is used: plain data, and its loader. */
export interface RailEntry {
  readonly title: string
  readonly secrets: readonly RailSecret[]
  /** Address of its requests; undefined where the operator names it. */
  readonly baseUrl: { readonly test: string; readonly live: string } | undefined
  /** Origins that a shop's own page allows in its policy for fields of this rail; undefined where it mounts none. */
  readonly pageOrigins?: FieldsOrigins
  /** Makes the rail; its code is loaded when it is first used. */
  readonly load: () => Promise<(effects: RailEffects) => Rail>
}

/** Every remote rail, by its kind. */
export const rails: { readonly [kind: string]: RailEntry } = {
  peer: {
    title: 'any server of this very interface',
    secrets: [
      {
        name: 'secret_key',
        doc: 'the secret key that it has given',
        required: true,
        begins: { test: ['test_'], live: ['secret_key_'] },
      },
      { name: 'notification_secret', doc: 'the signing secret of its webhook, whsec_…' },
    ],
    baseUrl: undefined,
    load: async () => (await import('../peer/peer-rail.js')).peerRail,
  },
  authorizenet: {
    title: 'cards and bank accounts at Authorize.Net',
    secrets: [
      { name: 'login_id', doc: 'the API Login ID', required: true, isPublic: true },
      { name: 'transaction_key', doc: 'the Transaction Key', required: true },
      {
        name: 'signature_key',
        doc: 'the Signature Key of its notifications, in hexadecimal digits',
        verifies: true,
      },
      {
        name: 'client_key',
        doc: 'the Public Client Key, by which pages show its form; by default read from Authorize.Net',
        isPublic: true,
      },
    ],
    baseUrl: { test: 'https://apitest.authorize.net', live: 'https://api.authorize.net' },
    load: async () => (await import('../authorizenet/authorizenet-rail.js')).authorizenetRail,
  },
  stripe: {
    title: 'cards and bank accounts at Stripe',
    secrets: [
      {
        name: 'secret_key',
        doc: 'the secret key that it has given',
        required: true,
        begins: { test: ['sk_test_', 'rk_test_'], live: ['sk_live_', 'rk_live_'] },
      },
      { name: 'notification_secret', doc: 'the signing secret of its webhook, whsec_…', verifies: true },
      {
        name: 'publishable_key',
        doc: 'the publishable key, by which pages show the fields of Stripe, pk_…',
        isPublic: true,
        begins: { test: ['pk_test_'], live: ['pk_live_'] },
      },
    ],
    baseUrl: { test: 'https://api.stripe.com', live: 'https://api.stripe.com' },
    pageOrigins: STRIPE_ORIGINS,
    load: async () => (await import('../stripe/stripe-rail.js')).stripeRail,
  },
}
