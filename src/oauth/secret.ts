import type { Environment } from '../core/work.js'
import type { Random } from '../effects/random.js'

const PREFIX = { live: 'secret_key_', test: 'test_secret_key_' } as const satisfies Record<
  Environment,
  string
>
const SECRET_KEY = /^(test_)?secret_key_[0-9A-Za-z]{43}$/

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BYTES = 32
/** 62^43 is the first power above 2^256. */
const LENGTH = 43

/** Keeps the hashes of secret keys apart from those of other things. */
export const PURPOSE = 'secret_key'

/** A new secret key: its environment's prefix and 256 random bits in base62. */
export function makeSecretKey(environment: Environment, random: Random): string {
  return PREFIX[environment] + base62(random.bytes(BYTES))
}

/** The environment that a credential belongs to by its form; nothing when it is no secret key. Spec: "Authentication". */
export function environmentOf(credential: string): Environment | undefined {
  const match = SECRET_KEY.exec(credential)
  if (!match) return undefined
  return match[1] === undefined ? 'live' : 'test'
}

/** What may be shown of a secret key afterwards: its prefix, the first three characters and the last four. */
export function hintOf(secretKey: string): string {
  const start = secretKey.lastIndexOf('_') + 1
  return `${secretKey.slice(0, start + 3)}…${secretKey.slice(-4)}`
}

function base62(bytes: Uint8Array): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (let i = 0; i < LENGTH; i++, rest /= 62n) text = ALPHABET.charAt(Number(rest % 62n)) + text
  return text
}
