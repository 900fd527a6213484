import { createCipheriv, createDecipheriv, scryptSync } from 'node:crypto'
import type { Random } from '../platform/random.js'
import { InstallationError } from './installation-error.js'

/** Parameters of scrypt: 128 MiB and about half a second for each guess. */
const COST = { N: 131_072, r: 8, p: 1 } as const
const MEMORY = 256 * 1024 * 1024
const CIPHER = 'aes-256-gcm'
const HEADER = 'payctl keys v1'
const SALT = 16
const NONCE = 12
const TAG = 16
const KEY = 32

/** Minimum characters of a passphrase; shorter ones are too easy to guess. */
export const MIN_PASSPHRASE = 12

/** Encrypts the keys. The result is text that only the passphrase decrypts. */
export function sealKeys(plain: string, passphrase: string, random: Random): string {
  const salt = random.bytes(SALT)
  const nonce = random.bytes(NONCE)
  const cipher = createCipheriv(CIPHER, derive(passphrase, salt), nonce, { authTagLength: TAG })
  cipher.setAAD(Buffer.from(HEADER))
  const sealed = Buffer.concat([
    salt,
    nonce,
    cipher.update(plain, 'utf8'),
    cipher.final(),
    cipher.getAuthTag(),
  ])
  const lines = sealed.toString('base64').match(/.{1,76}/g) ?? []
  return `${[HEADER, ...lines].join('\n')}\n`
}

/**
 * Decrypts exported keys. Throws an `InstallationError` for a wrong passphrase, and for a file that was
 * changed.
 */
export function openKeys(text: string, passphrase: string): string {
  const [header, ...lines] = text.trim().split(/\r?\n/)
  const bytes = Buffer.from(lines.join(''), 'base64')
  if (header !== HEADER || bytes.length < SALT + NONCE + TAG)
    throw new InstallationError('This file was not made by payctl vault export.')
  const nonce = bytes.subarray(SALT, SALT + NONCE)
  const decipher = createDecipheriv(CIPHER, derive(passphrase, bytes.subarray(0, SALT)), nonce, {
    authTagLength: TAG,
  })
  decipher.setAAD(Buffer.from(HEADER)).setAuthTag(bytes.subarray(-TAG))
  try {
    return decipher.update(bytes.subarray(SALT + NONCE, -TAG), undefined, 'utf8') + decipher.final('utf8')
  } catch (cause) {
    throw new InstallationError('The passphrase is wrong, or the file was changed.', { cause })
  }
}

function derive(passphrase: string, salt: Uint8Array): Buffer {
  return scryptSync(passphrase.normalize('NFC'), salt, KEY, { ...COST, maxmem: MEMORY })
}
