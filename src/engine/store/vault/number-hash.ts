import { createHmac, type KeyObject } from 'node:crypto'
import type { Keyring } from './keyring.js'

/**
 * Hashes of card and account numbers, for equality. The first key hashes the number, each later key the hash of the key
 * before: `<key id>.<hash>`, without an id for the first. So a hash can be brought under a newer key without the number,
 * and without all of the keys nobody can try numbers out.
 */
interface Step {
  /** Nothing for the first key, which has no successor's id before its hashes. */
  readonly id: string | undefined
  readonly key: KeyObject
}

/** Every hash that a number may be stored as, the oldest key's first: a rotation, or a restored backup, may stand at any. */
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

/** The hash that a number is stored as now. */
export function currentNumberHash(keyring: Keyring, plain: string, purpose: string): string {
  return steps(keyring)
    .slice(0, currentStep(keyring) + 1)
    .reduce((hash, step) => after(step, hash), `${purpose}\0${plain}`)
}

/** A stored hash under the current key; one that is there already stays. Nothing for one of a key that is not in the file. */
export function rehashedNumber(keyring: Keyring, hash: string): string | undefined {
  const [id, text] = hash.split('.')
  const at = text === undefined ? 0 : steps(keyring).findIndex((step) => step.id === id)
  if (at < 0) return undefined
  return steps(keyring)
    .slice(at + 1, currentStep(keyring) + 1)
    .reduce((made, step) => after(step, made), hash)
}

/** What stands before the hashes that are stored now; nothing for those of the first key. */
export function numberHashPrefix(keyring: Keyring): string {
  const id = steps(keyring)[currentStep(keyring)]?.id
  return id === undefined ? '' : `${id}.`
}

/** Whether a number may be stored as more than one hash. */
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

/** The steps whose sealing key is still there: nothing that can be read was stored at any other. */
function readableSteps(keyring: Keyring): readonly number[] {
  const { seal, numbers } = keyring
  const isFirstKept = [...seal.keys()].some((id) => !numbers.has(id))
  return steps(keyring).flatMap(({ id }, at) => ((id === undefined ? isFirstKept : seal.has(id)) ? [at] : []))
}

function after({ id, key }: Step, hashed: string): string {
  const hash = createHmac('sha256', key).update(hashed).digest('base64url')
  return id === undefined ? hash : `${id}.${hash}`
}
