import { type ScryptOptions, scrypt, scryptSync, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Random } from '../../../platform/random.js'

const derive = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(scrypt)

/** The cost of one guess: about a tenth of a second and 16 MiB. */
const COST = { N: 16_384, r: 8, p: 5 } as const
const SALT_BYTES = 16
const HASH_BYTES = 32

/** scrypt with a salt of its own, as `scrypt$N$r$p$salt$hash`, so that a later cost does not lock anybody out. */
export function hashPassword(password: string, random: Random): string {
  const salt = random.bytes(SALT_BYTES)
  return written(salt, scryptSync(normal(password), salt, HASH_BYTES, COST))
}

/** Whether a password matches a hash; without a hash it takes as long, and does not. */
export async function isPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = (stored ?? NO_PASSWORD).split('$')
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  const expected = Buffer.from(hash, 'base64url')
  const derived = await derive(normal(password), Buffer.from(salt, 'base64url'), expected.length, cost)
  return timingSafeEqual(derived, expected) && typeof stored === 'string'
}

/** The hash of no password. */
const NO_PASSWORD = written(Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES))

function written(salt: Uint8Array, hash: Uint8Array): string {
  const { N, r, p } = COST
  const [saltText, hashText] = [salt, hash].map((bytes) => Buffer.from(bytes).toString('base64url'))
  return `scrypt$${N}$${r}$${p}$${saltText}$${hashText}`
}

/** The form that is hashed: the same for all ways to type a character (NFKC), without blanks around it. */
export function normal(password: string): string {
  return password.normalize('NFKC').trim()
}
