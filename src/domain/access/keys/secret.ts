import type { Environment } from '../../../engine/store/database/store.js'
import type { Random } from '../../../platform/random.js'

/**
 * Kind of a credential. A `secret` key must stay on the client's servers; a `client` key is public, as pages contain
 * it. OAuth uses `access` and `refresh` tokens, and the `code` that is exchanged for them. An `entry` code signs an
 * operator in to the console.
 */
type Kind = 'secret' | 'client' | 'access' | 'refresh' | 'code' | 'entry'

/** Words in a key that name its kind, between the environment and the random part. */
const WORDS = {
  secret: 'secret_key',
  client: 'client_key',
  access: 'access_token',
  refresh: 'refresh_token',
  code: 'oauth_code',
  entry: 'console_entry',
} as const satisfies Record<Kind, string>
const KINDS = ['secret', 'client', 'access', 'refresh', 'code', 'entry'] as const satisfies readonly Kind[]

const KEY = /^(test_)?([a-z]+_[a-z]+)_[0-9A-Za-z]{43}$/

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BYTES = 32
/** Characters of the random part: 62^43 is the first power of 62 above 2^256. */
const LENGTH = 43

/** Purpose of the hashes of secret keys, which keeps them apart from other hashes. */
export const PURPOSE = 'secret_key'
/** Purpose of the hashes of codes and tokens of OAuth. */
export const OAUTH_PURPOSE = 'oauth'

/** A new key: its environment, its kind and 256 random bits in base62. Spec: "Authentication". */
export function makeKey(environment: Environment, kind: Kind, random: Random): string {
  return `${environment === 'test' ? 'test_' : ''}${WORDS[kind]}_${base62(random.bytes(BYTES))}`
}

export interface CredentialForm {
  readonly environment: Environment
  readonly kind: Kind
}

/** Environment and kind of a credential, by its form; undefined when it is no key. */
export function formOf(credential: string): CredentialForm | undefined {
  const [all, test, words] = KEY.exec(credential) ?? []
  const kind = KINDS.find((each) => WORDS[each] === words)
  if (all === undefined || kind === undefined) return undefined
  return { environment: test === undefined ? 'live' : 'test', kind }
}

/** The part of a key that may be shown later: its prefix, the first three characters and the last four. */
export function hintOf(key: string): string {
  const start = key.lastIndexOf('_') + 1
  return `${key.slice(0, start + 3)}…${key.slice(-4)}`
}

function base62(bytes: Uint8Array): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (let i = 0; i < LENGTH; i++, rest /= 62n) text = ALPHABET.charAt(Number(rest % 62n)) + text
  return text
}
