import { createSecretKey, type KeyObject } from 'node:crypto'
import type { Random } from '../../../platform/random.js'
import { parsedJson } from '../../../schema/json.js'
import { isTree } from '../../../schema/types.js'

/** Keys of one home: keys that encrypt values, one of them for new values, and keys that hash. */
export interface Keyring {
  /** Id of the key that encrypts new values. */
  readonly current: string
  /** Id of the key that a rotation is introducing; undefined once all values are encrypted with it. */
  readonly next: string | undefined
  readonly seal: ReadonlyMap<string, KeyObject>
  /**
   * Key that hashes secrets; also the first of the keys that hash numbers. It never changes, because hashes
   * of secret keys could not be made again.
   */
  readonly hash: KeyObject
  /**
   * Later keys that hash numbers, oldest first, by the id of the encryption key introduced with each. Each
   * key hashes the result of the keys before it. A hash can thus be renewed under a new key even after its
   * number was deleted. None of these keys is ever removed.
   */
  readonly numbers: ReadonlyMap<string, KeyObject>
  /**
   * Hash of the first commit of each environment's sealed log, in hex. It identifies the log and is written
   * once, so that no other log can replace it unnoticed.
   */
  readonly logs: ReadonlyMap<string, string>
}

const LOG = /^[0-9a-f]{64}$/
const KEY_BYTES = 32
const ID_BYTES = 6

/** Keys of a new home. */
export function newKeyring(random: Random): Keyring {
  const id = newId(random)
  return {
    current: id,
    next: undefined,
    seal: new Map([[id, newKey(random)]]),
    hash: newKey(random),
    numbers: new Map(),
    logs: new Map(),
  }
}

/** Adds a key, which is not used for new values yet. */
export function withNextKey(keyring: Keyring, random: Random): Keyring {
  const next = newId(random)
  return {
    ...keyring,
    next,
    seal: new Map([...keyring.seal, [next, newKey(random)]]),
    numbers: new Map([...keyring.numbers, [next, newKey(random)]]),
  }
}

/** Removes an encryption key. The key that hashes numbers, introduced with it, stays. */
export function withoutKey(keyring: Keyring, id: string): Keyring {
  return { ...keyring, seal: new Map([...keyring.seal].filter(([each]) => each !== id)) }
}

/** Sets the identity of an environment's log. */
export function withLog(keyring: Keyring, environment: string, log: string): Keyring {
  return { ...keyring, logs: new Map([...keyring.logs, [environment, log]]) }
}

/**
 * Text of a key file, as JSON: `{"current": id, "seal": {id: key, …}, "hash": key, "numbers": [{"id": id,
 * "key": key}, …], "logs": {environment: hash, …}}`. Keys are in base64.
 */
export function writeKeyring({ current, next, seal, hash, numbers, logs }: Keyring): string {
  const content = {
    current,
    ...(next === undefined ? {} : { next }),
    seal: Object.fromEntries([...seal].map(([id, key]) => [id, textOf(key)])),
    hash: textOf(hash),
    ...(numbers.size === 0 ? {} : { numbers: [...numbers].map(([id, key]) => ({ id, key: textOf(key) })) }),
    ...(logs.size === 0 ? {} : { logs: Object.fromEntries(logs) }),
  }
  return `${JSON.stringify(content, null, 2)}\n`
}

/** Reads the text of a key file; undefined if the text is not a complete keyring. */
export function readKeyring(text: string): Keyring | undefined {
  const content = parsedJson(text)
  if (!isTree(content) || !isTree(content['seal'])) return undefined
  const { current, next } = content
  const hash = keyOf(content['hash'])
  const seal = keysOf(Object.entries(content['seal']))
  const numbers = keysOf(pairsOf(content['numbers'] ?? []))
  const logs = logsOf(content['logs'] ?? {})
  if (!hash || !seal || !numbers || !logs) return undefined
  const isHeld = (id: unknown): id is string => typeof id === 'string' && seal.has(id)
  if (!isHeld(current) || !(next === undefined || isHeld(next))) return undefined
  return { current, next, seal, hash, numbers, logs }
}

function newId(random: Random): string {
  return Buffer.from(random.bytes(ID_BYTES)).toString('hex')
}

function newKey(random: Random): KeyObject {
  return createSecretKey(random.bytes(KEY_BYTES))
}

function textOf(key: KeyObject): string {
  return key.export().toString('base64')
}

function keyOf(value: unknown): KeyObject | undefined {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'base64') : undefined
  return bytes?.length === KEY_BYTES ? createSecretKey(bytes) : undefined
}

/** Keys by id; undefined unless all values are keys. */
function keysOf(
  entries: readonly (readonly [id: unknown, value: unknown])[] | undefined,
): Map<string, KeyObject> | undefined {
  const keys = new Map<string, KeyObject>()
  for (const [id, value] of entries ?? []) {
    const key = keyOf(value)
    if (!key || typeof id !== 'string') return undefined
    keys.set(id, key)
  }
  return entries && keys
}

function logsOf(value: unknown): Map<string, string> | undefined {
  if (!isTree(value)) return undefined
  const logs = new Map<string, string>()
  for (const [environment, log] of Object.entries(value)) {
    if (typeof log !== 'string' || !LOG.test(log)) return undefined
    logs.set(environment, log)
  }
  return logs
}

function pairsOf(value: unknown): (readonly [id: unknown, key: unknown])[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value.map((each) => (isTree(each) ? [each['id'], each['key']] : [undefined, undefined]))
}
