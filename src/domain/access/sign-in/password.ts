import { type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { invalidAttributes, unavailable } from '../../../engine/core/request/api-error.js'
import type { Random } from '../../../platform/random.js'

const deriveNow = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(scrypt)

/**
 * Maximum number of hashes computed at the same time. Payments keep a CPU core and threads of the pool. Up to
 * `MAX_WAITING` further hashes wait.
 */
const MAX_AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1))
const MAX_WAITING = 64
const RETRY_AFTER = 5

/** The cost of one guess: about a tenth of a second and 16 MiB. */
const COST = { N: 16_384, r: 8, p: 5 } as const
const SALT_BYTES = 16
const HASH_BYTES = 32

export const MIN_PASSWORD = 10

/** Throws `InvalidAttributes` for a password that is too short. */
export function checkPassword(password: string): void {
  if (normal(password).length < MIN_PASSWORD)
    throw invalidAttributes({ password: `Must have at least ${MIN_PASSWORD} characters` })
}

/**
 * Checks the password in the input of a rule, and replaces it by its hash. Call it before the unit of work, as hashing
 * takes a tenth of a second.
 */
export async function withHashedPassword<I extends { readonly password?: string | null }>(
  input: I,
  random: Random,
): Promise<I> {
  const { password } = input
  if (password === undefined || password === null) return input
  checkPassword(password)
  return { ...input, password: await hashPasswordNow(password, random) }
}

/**
 * Hashes a password by scrypt with a salt of its own, as `scrypt$N$r$p$salt$hash`. The text contains the cost, so
 * that old hashes stay valid after a change of cost. It is slow: never call it inside a unit of work. Throws
 * `ServiceUnavailable` when too many wait.
 */
export async function hashPassword(password: string, random: Random): Promise<string> {
  const salt = random.bytes(SALT_BYTES)
  return written(salt, await derive(normal(password), salt, HASH_BYTES, COST))
}

/** Hashes a password without waiting in the queue. Used when an operator sets a password, which is rare. */
async function hashPasswordNow(password: string, random: Random): Promise<string> {
  const salt = random.bytes(SALT_BYTES)
  return written(salt, await deriveNow(normal(password), salt, HASH_BYTES, COST))
}

/**
 * Whether a password matches a stored hash. Without a stored hash the answer is false, after the same time. Throws
 * like `hashPassword`.
 */
export async function isPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = (stored ?? NO_PASSWORD).split('$')
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  const expected = Buffer.from(hash, 'base64url')
  const derived = await derive(normal(password), Buffer.from(salt, 'base64url'), expected.length, cost)
  return timingSafeEqual(derived, expected) && typeof stored === 'string'
}

const waiting: (() => void)[] = []
let running = 0

/** Derives a hash, after waiting for a free place. */
async function derive(...args: Parameters<typeof deriveNow>): Promise<Buffer> {
  if (running >= MAX_AT_ONCE) {
    if (waiting.length >= MAX_WAITING) throw unavailable('Too many sign in just now', RETRY_AFTER)
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else running++
  try {
    return await deriveNow(...args)
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

/** A hash that no password has, to compare with if none is stored. */
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
