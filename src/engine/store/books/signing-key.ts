import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import type { KeyedHash } from './seal-log.js'

/** Prefix of an Ed25519 key in PKCS #8, before its 32 bytes. RFC 8410. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * Key that signs checkpoints. It is derived from the home's key, so it is exported and restored with that
 * key. Every machine that serves the same database has it.
 */
export function signingKey(keyed: KeyedHash): KeyObject {
  const seed = Buffer.from(keyed('ed25519', 'books signing key'), 'base64url')
  return createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
}

/** Public key as PEM. */
export function publicKeyText(key: KeyObject): string {
  return createPublicKey(key).export({ format: 'pem', type: 'spki' }).toString()
}

export function signText(key: KeyObject, text: string): string {
  return sign(null, Buffer.from(text), key).toString('base64')
}

export function isSigned(publicKey: KeyObject, text: string, signature: string): boolean {
  return verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64'))
}

/** `isSigned` on another thread, for many checks while payments go on. */
export function isSignedThreaded(publicKey: KeyObject, text: string, signature: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64'), (error, isGood) =>
      error ? reject(error) : resolve(isGood),
    )
  })
}
