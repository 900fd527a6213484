import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import type { Random } from '../../../platform/random.js'
import type { Environment } from '../database/store.js'
import { type FollowedKeyFile, followKeyFile, keyFilePath, readOnce } from './key-file.js'
import type { Keyring } from './keyring.js'
import { currentNumberHash, hasSeveralHashes, numberHashes, rehashedNumber } from './number-hash.js'

/**
 * Location of an encrypted value. It is bound to the ciphertext, so that values cannot be moved between
 * rows.
 */
export interface Place {
  readonly table: string
  readonly column: string
  readonly id: string
  /**
   * Other values of the row that the ciphertext is bound to; it cannot be decrypted with different ones.
   * None by default.
   */
  readonly boundTo?: readonly unknown[]
}

/** Keys of a home. Encrypted values belong to one environment. */
export interface HomeVault extends Pick<Vault, 'hash'> {
  /** Identity of an environment's sealed log in the key file; undefined until the log has begun. */
  logOf(environment: string): string | undefined
  /** Vault of one environment. It cannot decrypt values of the other environment. */
  forEnvironment(environment: Environment): Vault
}

/** Encrypts sensitive digits with a key that is kept outside the database. */
export interface Vault {
  /** Encrypts a text with AES-256-GCM. The result names its key. */
  seal(plain: string, place: Place): string
  /** Decrypts a text. Throws `SealBroken` if the text was changed or moved, or if its key is missing. */
  open(sealed: string, place: Place): string
  /**
   * Keyed hash of a secret for equality, with another key than `seal`. `purpose` separates hashes of
   * different kinds.
   */
  hash(plain: string, purpose: string): string
  /** Keyed hash of a card or account number, as it is stored now. */
  hashNumber(plain: string, purpose: string): string
  /**
   * All keyed hashes under which a number may be stored, the oldest first; several if its key was rotated.
   */
  numberHashes(plain: string, purpose: string): readonly string[]
  /** Whether a number may be stored under one of several hashes. */
  readonly hasSeveralHashes: boolean
  /** Stored hash of a number, renewed under the current key. Throws `SealBroken` if its key is missing. */
  rehashNumber(hash: string, place: Place): string
  /**
   * Vault for one unit of work, which checks only once whether a rotation has changed the keys. The unit of
   * work uses the same keys until it ends, and a rotation waits for that. Units of work with the same
   * `shared` check together.
   */
  forUnitOfWork(shared?: object): Vault
}

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Error of an encrypted value that cannot be decrypted: it was changed or moved, or its key is not in the
 * key file.
 */
export class SealBroken extends Error {
  constructor(place: Place, reason: string) {
    super(`${place.table}.${place.column} of ${place.id} cannot be opened: ${reason}`)
    this.name = 'SealBroken'
  }
}

/**
 * Vault of a home. Its key file is read when the first secret is used, and again after a rotation. Its
 * methods throw a `StoreError` if the file cannot be read or belongs to another home.
 */
export function openVault(home: string, random: Random): HomeVault {
  const keys = followKeyFile(keyFilePath(home))
  return {
    hash: hashUnder(keys),
    logOf: (environment) => keys.latest().logs.get(environment),
    forEnvironment: (environment) => vaultOf(keys, environment, random),
  }
}

/** Hashes with the key that never changes, so no check of the key file is needed. */
function hashUnder(keys: FollowedKeyFile): Vault['hash'] {
  return (plain, purpose) =>
    createHmac('sha256', keys.known().hash).update(`${purpose}\0${plain}`).digest('base64url')
}

function vaultOf(keys: FollowedKeyFile, environment: Environment, random: Random): Vault {
  const together = new WeakMap<object, Vault>()
  return {
    seal: (plain, place) => seal(keys.latest(), plain, { ...place, environment }, random),
    open(sealed, place) {
      const [id = ''] = sealed.split('.')
      const known = keys.latest()
      return open(known.seal.has(id) ? known : keys.reread(), sealed, { ...place, environment })
    },
    hash: hashUnder(keys),
    hashNumber: (plain, purpose) => currentNumberHash(keys.latest(), plain, purpose),
    numberHashes: (plain, purpose) => numberHashes(keys.latest(), plain, purpose),
    get hasSeveralHashes() {
      return hasSeveralHashes(keys.latest())
    },
    rehashNumber(hash, place) {
      const rehashed = rehashedNumber(keys.latest(), hash)
      if (rehashed === undefined) throw new SealBroken(place, 'its key is missing')
      return rehashed
    },
    forUnitOfWork(shared) {
      const vault = (shared && together.get(shared)) ?? vaultOf(readOnce(keys), environment, random)
      if (shared) together.set(shared, vault)
      return vault
    },
  }
}

/** Encrypts a text. The result is `<key id>.<nonce, ciphertext and tag>`. */
function seal({ current, seal }: Keyring, plain: string, place: FullPlace, random: Random): string {
  const key = seal.get(current)
  if (!key) throw new SealBroken(place, `the key ${current} is missing`)
  const nonce = random.bytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(boundTo(place))
  const text = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${current}.${text.toString('base64url')}`
}

function open({ seal }: Keyring, sealed: string, place: FullPlace): string {
  const [id = '', text = ''] = sealed.split('.')
  const key = seal.get(id)
  if (!key) throw new SealBroken(place, `the key ${id} is missing`)
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new SealBroken(place, 'it is too short')
  const cipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  cipher.setAAD(boundTo(place)).setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    return cipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + cipher.final('utf8')
  } catch {
    throw new SealBroken(place, 'it was changed or moved')
  }
}

interface FullPlace extends Place {
  readonly environment: Environment
}

function boundTo({ environment, table, column, id, boundTo: values = [] }: FullPlace): Buffer {
  return Buffer.from(JSON.stringify([environment, table, column, id, ...values]))
}
