import type { Rail, RailEffects } from '../contract.js'
import type { FieldsOrigins } from '../payer-fields.js'
import { STRIPE_ORIGINS } from '../stripe-origins.js'

/** Description of one secret of a rail's credentials. */
export interface RailSecret {
  /** Name in commands and HTTP: `secret_key`. */
  readonly name: string
  readonly doc: string
  readonly required?: true
  /** Whether everyone may see the value, such as a login or a publishable key. */
  readonly isPublic?: true
  /** Whether the secret verifies notifications. Without it, none is accepted. */
  readonly verifies?: true
  /** Prefixes that the secret has in each environment; omitted if it has none. */
  readonly begins?: { readonly test: readonly string[]; readonly live: readonly string[] }
}

/** Description of a rail, available before the rail's code is loaded by `load`. */
export interface RailEntry {
  readonly title: string
  readonly secrets: readonly RailSecret[]
  /** Base addresses of the processor; undefined if the operator has to name one. */
  readonly baseUrl: { readonly test: string; readonly live: string } | undefined
  /** Origins that a shop's page must allow for fields of this rail; undefined if a shop's page cannot show them. */
  readonly pageOrigins?: FieldsOrigins
  /** Loads the rail's code, and returns a function that makes the rail. */
  readonly load: () => Promise<(effects: RailEffects) => Rail>
}

/** All remote rails, by name. */
export const rails: { readonly [kind: string]: RailEntry } = {
  peer: {
    title: 'any server with the same HTTP interface as payctl',
    secrets: [
      {
        name: 'secret_key',
        doc: 'the secret key that the processor issued',
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
        doc: 'the secret key that the processor issued',
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
