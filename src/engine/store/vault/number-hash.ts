import { createHmac, type KeyObject } from 'node:crypto'
import type { Keyring } from './keyring.js'

/**
 * Step of hashing a card or account number, for equality. The first key hashes the number; each later key
 * hashes the result of the one before: `<key id>.<hash>`, without an id for the first. A hash can thus be
 * renewed under a newer key without the number. Numbers can be guessed only by someone who has all keys.
 */
interface Step {
  /** Undefined for the first key, whose hashes have no id in front. */
  readonly id: string | undefined
  readonly key: KeyObject
}

/**
 * All hashes under which a number may be stored, the oldest key's first. There may be several during a
 * rotation, or after a backup was restored.
 */
export function numberHashes(keyring: Keyring, plain: string, purpose: string): readonly string[] {
  const readable = new Set(readableSteps(keyring))
  const found: string[] = []
  let hash = `${purpose}\0${plain}`
  for (const [at, step] of steps(keyring).entries()) {
    hash = after(step, hash)
    if (readable.has(at)) found.push(hash)
  }
  return found
}

/** Hash under which a number is stored now. */
export function currentNumberHash(keyring: Keyring, plain: string, purpose: string): string {
  return steps(keyring)
    .slice(0, currentStep(keyring) + 1)
    .reduce((hash, step) => after(step, hash), `${purpose}\0${plain}`)
}

/**
 * Stored hash, renewed under the current key; unchanged if it is already current. Undefined if its key is
 * not in the file.
 */
export function rehashedNumber(keyring: Keyring, hash: string): string | undefined {
  const [id, text] = hash.split('.')
  const at = text === undefined ? 0 : steps(keyring).findIndex((step) => step.id === id)
  if (at < 0) return undefined
  return steps(keyring)
    .slice(at + 1, currentStep(keyring) + 1)
    .reduce((made, step) => after(step, made), hash)
}

/** Prefix of the hashes that are stored now; empty for those of the first key. */
export function numberHashPrefix(keyring: Keyring): string {
  const id = steps(keyring)[currentStep(keyring)]?.id
  return id === undefined ? '' : `${id}.`
}

/** Whether a number may be stored under more than one hash. */
export function hasSeveralHashes(keyring: Keyring): boolean {
  return readableSteps(keyring).length > 1
}

function steps(keyring: Keyring): readonly Step[] {
  const known = stepsOf.get(keyring)
  if (known) return known
  const found = [
    { id: undefined, key: keyring.hash },
    ...[...keyring.numbers].map(([id, key]) => ({ id, key })),
  ]
  stepsOf.set(keyring, found)
  return found
}
const stepsOf = new WeakMap<Keyring, readonly Step[]>()

function currentStep({ current, numbers }: Keyring): number {
  return [...numbers.keys()].indexOf(current) + 1
}

/**
 * Steps whose encryption key is still in the file; readable values were stored with the hash of one of
 * these.
 */
function readableSteps(keyring: Keyring): readonly number[] {
  const { seal, numbers } = keyring
  const isFirstKept = [...seal.keys()].some((id) => !numbers.has(id))
  return steps(keyring).flatMap(({ id }, at) => ((id === undefined ? isFirstKept : seal.has(id)) ? [at] : []))
}

function after({ id, key }: Step, hashed: string): string {
  const hash = createHmac('sha256', key).update(hashed).digest('base64url')
  return id === undefined ? hash : `${id}.${hash}`
}
