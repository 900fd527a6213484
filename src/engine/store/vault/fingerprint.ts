import { createHmac } from 'node:crypto'
import type { Keyring } from './keyring.js'

/** Row id of the key that hashes secrets, which every key file of a home has. */
export const HASH_KEY = 'hash'

/**
 * Keyed hash by which a database recognizes a key without storing it; undefined if the key is not in the
 * file.
 */
export function fingerprintOf(keyring: Keyring, id: string): string | undefined {
  const key = id === HASH_KEY ? keyring.hash : keyring.seal.get(id)
  if (!key) return undefined
  const mac = createHmac('sha256', key).update(`payctl key fingerprint\0${id}\0`)
  const hashing = keyring.numbers.get(id)
  return (hashing ? mac.update(hashing.export()) : mac).digest('hex').slice(0, 32)
}
