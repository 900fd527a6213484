import type { RailClient } from '../platform/network/rail-client.js'
import type { Rail } from './contract.js'

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

/** What a rail needs from outside. */
export interface RailEffects {
  readonly http: RailClient
  /** Milliseconds since 1970. */
  readonly now: () => number
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
export const rails: { readonly [kind: string]: RailEntry } = {}
