import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import type { Random } from '../../../platform/random.js'
import { keyFilePath, readKeyFile } from './key-file.js'
import type { Keyring } from './keyring.js'

/** Where a sealed value lives; bound to the ciphertext so that values cannot be moved between rows. */
export interface Place {
  readonly table: string
  readonly column: string
  readonly id: string
}

/** Seals sensitive digits under a key that is kept outside the database. */
export interface Vault {
  /** AES-256-GCM; the text names the key it is under. */
  seal(plain: string, place: Place): string
  /** Throws when the text was changed, moved, or its key is missing. */
  open(sealed: string, place: Place): string
  /** A keyed hash under another key than `seal`'s, for equality; the purpose keeps hashes of different things apart. */
  hash(plain: string, purpose: string): string
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

/** The vault of a home; its key file is read when the first secret is touched. */
export function openVault(home: string, random: Random): Vault {
  let keyring: Keyring | undefined
  const keys = () => {
    keyring ??= readKeyFile(keyFilePath(home))
    return keyring
  }
  return {
    seal: (plain, place) => seal(keys(), plain, place, random),
    open: (sealed, place) => open(keys(), sealed, place),
    hash: (plain, purpose) =>
      createHmac('sha256', keys().hash).update(`${purpose}\0${plain}`).digest('base64url'),
  }
}

/** `<key id>.<nonce, ciphertext and tag>`. */
function seal({ current, seal }: Keyring, plain: string, place: Place, random: Random): string {
  const key = seal.get(current)
  if (!key) throw new SealBroken(place, `the key ${current} is missing`)
  const nonce = random.bytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(boundTo(place))
  const text = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${current}.${text.toString('base64url')}`
}

function open({ seal }: Keyring, sealed: string, place: Place): string {
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

function boundTo({ table, column, id }: Place): Buffer {
  return Buffer.from(`${table}\0${column}\0${id}`)
}
