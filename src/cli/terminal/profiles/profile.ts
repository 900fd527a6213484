import type { Environment } from '../../../engine/store/database/store.js'
import { type JsonObject, parsedJson } from '../../../schema/json.js'
import type { Minor } from '../../../schema/money.js'
import { MONEY_VERBS, type MoneyVerb } from '../../../schema/moves.js'
import { isObject } from '../input/body.js'

/** The spending limit of a profile: limits on the money that its commands may move. */
export interface SpendingLimit {
  /** The largest amount of one transaction, in minor units. */
  readonly max_amount?: Minor
  /** Kinds of actions on money that are allowed; all by default. */
  readonly verbs?: readonly MoneyVerb[]
}

/** Settings saved under a name: a database of this machine, or a `payctl serve` and its key. */
export interface Profile extends SpendingLimit {
  readonly home?: string
  readonly database_url?: string
  readonly server?: string
  readonly key?: string
  /** The file from which the key is read each time, instead of `key`. */
  readonly key_file?: string
  readonly environment?: Environment
}

export interface Profiles {
  /** The profile that is used when none is named. */
  readonly current?: string
  readonly profiles: Readonly<Record<string, Profile>>
}

const TEXTS = ['home', 'database_url', 'server', 'key', 'key_file'] as const

/** Reads profiles from the text of a file; undefined if the text does not contain valid profiles. */
export function readProfiles(text: string): Profiles | undefined {
  const content = parsedJson(text)
  if (!isObject(content) || !isObject(content.profiles)) return undefined
  const profiles: Record<string, Profile> = {}
  for (const [name, value] of Object.entries(content.profiles)) {
    const profile = profileOf(value)
    if (!profile) return undefined
    profiles[name] = profile
  }
  const { current } = content
  if (current !== undefined && typeof current !== 'string') return undefined
  return { profiles, ...(current !== undefined && { current }) }
}

function profileOf(value: unknown): Profile | undefined {
  const texts = isObject(value) ? textsOf(value) : undefined
  const limit = isObject(value) ? limitOf(value) : undefined
  if (!isObject(value) || !texts || !limit) return undefined
  const { environment } = value
  if (environment === undefined) return { ...texts, ...limit }
  return environment === 'test' || environment === 'live' ? { ...texts, ...limit, environment } : undefined
}

function textsOf(value: JsonObject): Partial<Record<(typeof TEXTS)[number], string>> | undefined {
  const texts: Partial<Record<(typeof TEXTS)[number], string>> = {}
  for (const name of TEXTS) {
    const text = value[name]
    if (typeof text === 'string') texts[name] = text
    else if (text !== undefined) return undefined
  }
  return texts
}

function limitOf({ max_amount, verbs: names }: JsonObject): SpendingLimit | undefined {
  const verbs = names === undefined ? undefined : verbsOf(names)
  if (names !== undefined && !verbs) return undefined
  if (max_amount !== undefined && !(typeof max_amount === 'number' && max_amount >= 0)) return undefined
  return { ...(max_amount !== undefined && { max_amount }), ...(verbs && { verbs }) }
}

/** Reads verbs; undefined if a verb is unknown, because a typing error must not loosen a limit. */
export function verbsOf(names: unknown): readonly MoneyVerb[] | undefined {
  if (!Array.isArray(names)) return undefined
  const verbs = MONEY_VERBS.filter((verb) => names.includes(verb))
  return names.every((name) => MONEY_VERBS.some((verb) => verb === name)) ? verbs : undefined
}
