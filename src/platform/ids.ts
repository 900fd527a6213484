import { ALPHABET, base62, digitsOfTime } from '../schema/id-time.js'
import type { Clock } from './clock.js'
import type { Random } from './random.js'

/** Makes ids of new objects: a prefix and 22 characters of base62 that sort by time. */
export interface Ids {
  next(prefix: string): string
}

const COUNT = 3
const CHANCE = 11

/**
 * Makes ids that ascend within a process, even within a millisecond. Ids of two processes do not collide
 * (65 random bits).
 */
export function timeOrderedIds(clock: Clock, random: Random): Ids {
  let millisecond = 0
  let time = digitsOfTime(millisecond)
  let count = 0
  return {
    next(prefix) {
      const now = clock.now()
      if (now > millisecond) {
        millisecond = now
        time = digitsOfTime(now)
        count = 0
      } else count++
      return prefix + time + base62(count, COUNT) + chance(random)
    },
  }
}

function chance(random: Random): string {
  let text = ''
  for (const byte of random.bytes(CHANCE)) text += ALPHABET.charAt(byte % 62)
  return text
}
