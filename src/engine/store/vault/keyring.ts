import { createSecretKey, type KeyObject } from 'node:crypto'
import type { Random } from '../../../platform/random.js'
import { parsedJson } from '../../../schema/json.js'
import { isTree } from '../../../schema/types.js'

/** The keys of one home: several that values may be sealed under, one for new values, and those that hash. */
export interface Keyring {
  /** New values are sealed under it. */
  readonly current: string
  /** The key that a rotation is about; nothing once everything is sealed under it. */
  readonly next: string | undefined
  readonly seal: ReadonlyMap<string, KeyObject>
  /** Hashes secrets and, first of all, numbers. Never changes: hashes of secret keys could not be made again. */
  readonly hash: KeyObject
  /**
   * By the id of the sealing key that each came with, oldest first: each hashes what those before it made of a number.
   * So a hash whose number was dropped is brought under a new key, too, and none of these keys is ever removed.
   */
  readonly numbers: ReadonlyMap<string, KeyObject>
  /**
   * Identity of the sealed log of each environment that has one: the hash of its first commit, in hex. Written once, so
   * that no other log can take its place unnoticed.
   */
  readonly logs: ReadonlyMap<string, string>
}

const LOG = /^[0-9a-f]{64}$/
const KEY_BYTES = 32
const ID_BYTES = 6

/** The keys of a new home. */
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

/** The keys and another one, which is not used for new values yet. */
export function withNextKey(keyring: Keyring, random: Random): Keyring {
  const next = newId(random)
  return {
    ...keyring,
    next,
    seal: new Map([...keyring.seal, [next, newKey(random)]]),
    numbers: new Map([...keyring.numbers, [next, newKey(random)]]),
  }
}

/** The keys without one that sealed. What it hashed numbers with stays. */
export function withoutKey(keyring: Keyring, id: string): Keyring {
  return { ...keyring, seal: new Map([...keyring.seal].filter(([each]) => each !== id)) }
}

/** The keys, with the identity of an environment's log, which takes the place of another one. */
export function withLog(keyring: Keyring, environment: string, log: string): Keyring {
  return { ...keyring, logs: new Map([...keyring.logs, [environment, log]]) }
}

/**
 * As JSON: `{"current": id, "seal": {id: key, …}, "hash": key, "numbers": [{"id": id, "key": key}, …], "logs":
 * {environment: hash, …}}`, keys in base64.
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

/** Nothing when the text is not a whole keyring. */
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

/** Nothing unless all are keys. */
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
