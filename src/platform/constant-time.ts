import { timingSafeEqual } from 'node:crypto'

/**
 * Whether a guess equals the secret, in a time that does not depend on the number of equal bytes. The time
 * may reveal the length.
 */
export function equalsInConstantTime(guess: string, secret: string): boolean {
  const one = Buffer.from(guess)
  const other = Buffer.from(secret)
  return one.length === other.length && timingSafeEqual(one, other)
}
