import type { Environment } from '../core/work.js'
import type { Random } from '../effects/random.js'

/** A secret key is kept secret by programs; a client key is publishable: it stands in pages. */
type Kind = 'secret' | 'client'

const KEY = /^(test_)?(secret|client)_key_[0-9A-Za-z]{43}$/

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BYTES = 32
/** 62^43 is the first power above 2^256. */
const LENGTH = 43

/** Keeps the hashes of secret keys apart from those of other things. */
export const PURPOSE = 'secret_key'

/** A new key: its environment, its kind and 256 random bits in base62. Spec: "Authentication". */
export function makeKey(environment: Environment, kind: Kind, random: Random): string {
  return `${environment === 'test' ? 'test_' : ''}${kind}_key_${base62(random.bytes(BYTES))}`
}

export interface Form {
  readonly environment: Environment
  readonly kind: Kind
}

/** What a credential is by its form, and the environment that it belongs to; nothing when it is no key. */
export function formOf(credential: string): Form | undefined {
  const match = KEY.exec(credential)
  if (!match) return undefined
  return {
    environment: match[1] === undefined ? 'live' : 'test',
    kind: match[2] === 'client' ? 'client' : 'secret',
  }
}

/** What may be shown of a key afterwards: its prefix, the first three characters and the last four. */
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
