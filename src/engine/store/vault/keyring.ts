import { createSecretKey, type KeyObject } from 'node:crypto'
import type { Random } from '../../../platform/random.js'
import { parsedJson } from '../../../schema/json.js'
import { isTree } from '../../../schema/types.js'

/** The keys of one home: several that values may be sealed under, one for new values, one for hashes. */
export interface Keyring {
  readonly current: string
  readonly seal: ReadonlyMap<string, KeyObject>
  /** Never changes: hashes of secret keys could not be made again. */
  readonly hash: KeyObject
}

const KEY_BYTES = 32
const ID_BYTES = 6

/** A new keyring as JSON: `{"current": id, "seal": {id: key, …}, "hash": key}`, keys in base64. */
export function writeKeyring(random: Random): string {
  const id = Buffer.from(random.bytes(ID_BYTES)).toString('hex')
  const key = () => Buffer.from(random.bytes(KEY_BYTES)).toString('base64')
  return `${JSON.stringify({ current: id, seal: { [id]: key() }, hash: key() }, null, 2)}\n`
}

/** Nothing when the text is not a whole keyring. */
export function readKeyring(text: string): Keyring | undefined {
  const content = parsedJson(text)
  if (!isTree(content) || !isTree(content['seal'])) return undefined
  const { current } = content
  const hash = keyOf(content['hash'])
  const seal = new Map<string, KeyObject>()
  for (const [id, value] of Object.entries(content['seal'])) {
    const key = keyOf(value)
    if (!key) return undefined
    seal.set(id, key)
  }
  return hash && typeof current === 'string' && seal.has(current) ? { current, seal, hash } : undefined
}

function keyOf(value: unknown): KeyObject | undefined {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'base64') : undefined
  return bytes?.length === KEY_BYTES ? createSecretKey(bytes) : undefined
}
