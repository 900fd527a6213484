import { createHmac } from 'node:crypto'
import type { Keyring } from './keyring.js'

/** The row of the key that hashes secrets, which every key file of a home has. */
export const HASH_KEY = 'hash'

/** By what a database knows a key without holding it; nothing where the key is not in the file. */
export function fingerprintOf(keyring: Keyring, id: string): string | undefined {
  const key = id === HASH_KEY ? keyring.hash : keyring.seal.get(id)
  if (!key) return undefined
  const mac = createHmac('sha256', key).update(`payctl key fingerprint\0${id}\0`)
  const hashing = keyring.numbers.get(id)
  return (hashing ? mac.update(hashing.export()) : mac).digest('hex').slice(0, 32)
}
