import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import type { Random } from '../../../platform/random.js'
import type { Environment } from '../database/store.js'
import { type FollowedKeyFile, followKeyFile, keyFilePath, readOnce } from './key-file.js'
import type { Keyring } from './keyring.js'
import { currentNumberHash, hasSeveralHashes, numberHashes, rehashedNumber } from './number-hash.js'

/** Where a sealed value lives; bound to the ciphertext so that values cannot be moved between rows. */
export interface Place {
  readonly table: string
  readonly column: string
  readonly id: string
  /** Values beside it that it holds for: it does not open with any other. None unless given. */
  readonly boundTo?: readonly unknown[]
}

/** Keys of a home. What they seal belongs to one environment. */
export interface HomeVault extends Pick<Vault, 'hash'> {
  /** Identity of an environment's sealed log by the key file; undefined until the log has begun. */
  logOf(environment: string): string | undefined
  /** The vault of one environment, which opens nothing that was sealed in the other. */
  forEnvironment(environment: Environment): Vault
}

/** Seals sensitive digits under a key that is kept outside the database. */
export interface Vault {
  /** AES-256-GCM; the text names the key it is under. */
  seal(plain: string, place: Place): string
  /** Throws when the text was changed, moved, or its key is missing. */
  open(sealed: string, place: Place): string
  /** A keyed hash of a secret under another key than `seal`'s, for equality; the purpose keeps hashes of different things apart. */
  hash(plain: string, purpose: string): string
  /** A keyed hash of a card or account number as it is stored now. */
  hashNumber(plain: string, purpose: string): string
  /** Every keyed hash that a number may be stored as: several once its key was rotated. The oldest first. */
  numberHashes(plain: string, purpose: string): readonly string[]
  /** Whether numbers may be stored as one of several hashes. */
  readonly hasSeveralHashes: boolean
  /** A stored hash of a number as it would be stored now. Throws when its key is missing. */
  rehashNumber(hash: string, place: Place): string
  /**
   * The vault for one unit of work, which looks only once whether a rotation has changed the keys: those that a unit of
   * work begins with serve to its end, and a rotation waits for that. Those that share a transaction look together.
   */
  forUnitOfWork(shared?: object): Vault
}

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** A sealed value cannot be opened: it was changed, moved, or its key is not in the key file. */
export class SealBroken extends Error {
  constructor(place: Place, reason: string) {
    super(`${place.table}.${place.column} of ${place.id} cannot be opened: ${reason}`)
    this.name = 'SealBroken'
  }
}

/**
 * The vault of a home; its key file is read when the first secret is touched, and again when a rotation has changed it.
 * Its methods throw a `StoreError` when the file cannot be read, or has become another home's.
 */
export function openVault(home: string, random: Random): HomeVault {
  const keys = followKeyFile(keyFilePath(home))
  return {
    hash: hashUnder(keys),
    logOf: (environment) => keys.latest().logs.get(environment),
    forEnvironment: (environment) => vaultOf(keys, environment, random),
  }
}

/** Hashes under a key that never changes, so that no caller who shows a secret key waits for the file. */
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

/** `<key id>.<nonce, ciphertext and tag>`. */
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
