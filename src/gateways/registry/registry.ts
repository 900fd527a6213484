import type { Rail, RailEffects } from '../contract.js'

/** A secret that a rail's credentials consist of. */
export interface RailSecret {
  /** As commands and HTTP name it: `secret_key`. */
  readonly name: string
  readonly doc: string
  readonly required?: true
  /** It may be seen by everybody: a login, not a key. */
  readonly isPublic?: true
  /** How those of each mode begin; any unless given. */
  readonly begins?: { readonly test: readonly string[]; readonly live: readonly string[] }
}

/** A rail as commands and rules see it before it is used: plain data, and how it is loaded. */
export interface RailEntry {
  readonly title: string
  readonly secrets: readonly RailSecret[]
  /** Where its requests go; nothing where the operator names it. */
  readonly baseUrl: { readonly test: string; readonly live: string } | undefined
  /** Makes the rail; its code is loaded when it is first used. */
  readonly load: () => Promise<(effects: RailEffects) => Rail>
}

/** Every rail that leaves the machine, by its kind. */
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
}
